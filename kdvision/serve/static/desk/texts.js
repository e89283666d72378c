// What the pages of a tournament say, by language. The browser's language decides.

const language = (navigator.language || "en").toLowerCase().startsWith("de") ? "de" : "en";
const TEXTS = {
  en: {
    round: "Round", table: "Table", open: "Open", board: "All tables", yourName: "Your name",
    codes: "QR codes", beamer: "Beamer", log: "Log", close: "Close", name: "Name", total: "Total",
    standings: "Standings", camera: "Take a photo", file: "Choose a photo",
    claimFirst: "First: what you counted", claimNow: "That is what we claim",
    thenPhoto: "Then: the photo", whose: "Whose kingdoms are in the photo?",
    somebodyElse: "Somebody else sits here", sending: "Sending", loading: "One moment …", scoring: "Scoring the photo",
    waitingForNet: "{n} wait for the network.", failed: "It did not work: {why}",
    codesHint: "Print this page: each code opens the page of its table and round.",
    claimed: "Claimed", read: "Photo", noClaim: "no claim yet", noPhoto: "no photo yet",
    sees: "Show the photo", acceptPhoto: "The photo counts: {n}", acceptClaim: "The claim counts: {n}",
    sure: "Tap again: {n} for {player}, says {by}", reopen: "Begin again",
    reopenSure: "Tap again: {player} begins again", correct: "Correct squares",
    withdraw: "Take the decision back", withdrawSure: "Tap again: take it back",
    needsName: "Write your name first.", accepted: "{n} accepted by {by}", photos: "{n} photos",
    waiting: "waiting", agrees: "agrees", differs: "differs", look: "look",
    settled: "settled", missing: "missing", "wrong-table": "wrong table: sits at {text}",
    stranger: "not on the sheet", clash: "cannot be right together with another line",
    counts: "{waiting} waiting, {agrees} agree, {differs} differ, {look} to look at",
    byPlayer: "Who says so?", noMistake: "No single mistake explains it.",
    onlyDesk: "The desk has been told.", difference: "{n} points too many",
    differenceLess: "{n} points too few", several: "One of these explains it:",
    more: "and {n} more", rank: "Rank", player: "Player", points: "Points", game: "Table {game}",
    inRound: "Round {round}, table {game}", notSure: "not sure", nothingYet: "Nothing yet.",
    at: "at {time}", lost: "The server does not answer. This is from {time}.",
    which: "Which kingdom is whose?", kingdom: "Kingdom", send: "Send",
    "event-claim": "claimed", "event-photo": "handed in a photo", "event-propose": "proposed squares",
    "event-letter": "gave the kingdom", "event-accept": "accepted", "event-withdraw": "took back",
    "event-reopen": "let begin again", "event-correct": "corrected", desk: "the desk",
    proposed: "{by} would correct {squares}", takeProposal: "Take the correction",
    takeSure: "Tap again: take it, says {by}", turnDown: "Turn the corrections down",
    tapKingdom: "Tap {player}'s kingdom on the photo.", pickKingdom: "Kingdom {letter}",
    number: "Another total", numberExample: "42", correctExample: "b3=W1 c4=G",
    turnDownSure: "Tap again: turn them down, says {by}", token: "Code below the QR code",
  },
  de: {
    round: "Runde", table: "Tisch", open: "Öffnen", board: "Alle Tische", yourName: "Dein Name",
    codes: "QR-Codes", beamer: "Beamer", log: "Protokoll", close: "Schließen", name: "Name",
    total: "Summe", standings: "Rangliste", camera: "Foto aufnehmen", file: "Foto auswählen",
    claimFirst: "Zuerst: was ihr gezählt habt", claimNow: "Das haben wir gezählt",
    thenPhoto: "Dann: das Foto", whose: "Wessen Königreiche sind auf dem Foto?",
    somebodyElse: "Hier sitzt noch jemand", sending: "Wird gesendet", loading: "Einen Moment …", scoring: "Wird gewertet",
    waitingForNet: "{n} warten auf das Netz.", failed: "Das ging nicht: {why}",
    codesHint: "Diese Seite drucken: jeder Code öffnet die Seite seines Tisches und seiner Runde.",
    claimed: "Gezählt", read: "Foto", noClaim: "noch nichts gezählt", noPhoto: "noch kein Foto",
    sees: "Foto zeigen", acceptPhoto: "Das Foto gilt: {n}", acceptClaim: "Das Gezählte gilt: {n}",
    sure: "Noch einmal tippen: {n} für {player}, sagt {by}", reopen: "Neu beginnen",
    reopenSure: "Noch einmal tippen: {player} beginnt neu", correct: "Felder verbessern",
    withdraw: "Entscheidung zurücknehmen", withdrawSure: "Noch einmal tippen: zurücknehmen",
    needsName: "Schreib zuerst deinen Namen.", accepted: "{n}, entschieden von {by}",
    photos: "{n} Fotos", waiting: "offen", agrees: "stimmt", differs: "weicht ab",
    look: "ansehen", settled: "entschieden", missing: "fehlt",
    "wrong-table": "falscher Tisch: sitzt an {text}", stranger: "steht nicht auf der Liste",
    clash: "passt nicht zu einer anderen Zeile",
    counts: "{waiting} offen, {agrees} stimmen, {differs} weichen ab, {look} anzusehen",
    byPlayer: "Wer sagt das?", noMistake: "Kein einzelner Fehler erklärt es.",
    onlyDesk: "Die Turnierleitung weiß Bescheid.", difference: "{n} Punkte zu viel",
    differenceLess: "{n} Punkte zu wenig", several: "Eines davon erklärt es:",
    more: "und {n} weitere", rank: "Rang", player: "Spieler", points: "Punkte",
    game: "Tisch {game}", inRound: "Runde {round}, Tisch {game}", notSure: "nicht sicher",
    nothingYet: "Noch nichts.", at: "um {time}",
    lost: "Der Server antwortet nicht. Dies ist von {time}.",
    which: "Welches Königreich gehört wem?", kingdom: "Königreich", send: "Senden",
    "event-claim": "zählte", "event-photo": "gab ein Foto ab", "event-propose": "schlug Felder vor",
    "event-letter": "ordnete zu", "event-accept": "entschied", "event-withdraw": "nahm zurück",
    "event-reopen": "ließ neu beginnen", "event-correct": "verbesserte", desk: "die Turnierleitung",
    proposed: "{by} würde {squares} verbessern", takeProposal: "Verbesserung übernehmen",
    takeSure: "Noch einmal tippen: übernehmen, sagt {by}", turnDown: "Verbesserungen ablehnen",
    tapKingdom: "Tippe auf dem Foto auf das Königreich von {player}.", pickKingdom: "Königreich {letter}",
    number: "Andere Summe", numberExample: "42", correctExample: "b3=W1 c4=G",
    turnDownSure: "Noch einmal tippen: ablehnen, sagt {by}", token: "Code unter dem QR-Code",
  },
};

export function text(name, values = {}) {
  return TEXTS[language][name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

// For addresses whose answers hold sentences.
export const inLanguage = (path) => `${path}${path.includes("?") ? "&" : "?"}language=${language}`;

export function fillTexts(title) {
  document.documentElement.lang = language;
  if (title) document.title = `${text(title)}: kdscore`;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = text(element.dataset.text);
  }
}

export const placeText = (round, table) =>
  [round && `${text("round")} ${round}`, `${text("table")} ${table}`].filter(Boolean).join(", ");

// 14:05, in the reader's clock.
export function clock(time) {
  const shown = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
  return new Date(time).toLocaleTimeString(language, shown);
}
