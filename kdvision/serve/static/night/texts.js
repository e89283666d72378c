// What the page says, by language. The browser's language decides.

const TEXTS = {
  en: {
    rules: "Rules", size: "Size", auto: "what fits", camera: "Take a photo", file: "Choose a photo",
    harmony: "Harmony (+5)", middle: "Middle Kingdom (+10)", undo: "Undo", share: "Share as picture",
    forget: "Forget this photo", keep: "Add to the evening", keepAgain: "Update game {game}",
    evening: "This evening", other: "Anything else", close: "Close", player: "Player", rank: "Rank",
    total: "Total", game: "Game {game}", drop: "Forget", dropGame: "Forget game {game}",
    leads: "leads", sending: "Sending the photo", scoring: "Scoring", sure: "Sure.",
    doubtful: "Not sure.", waiting: "{n} photo(s) wait for the network.",
    failed: "It did not work: {why}", offline: "There is no network right now. Try again.",
    kept: "Game {game} is kept.", needsName: "Write at least one player's name.",
    kingdom: "Kingdom {letter}", or: "or {total}", lookAt: "Look at {places}.",
    sum: "{squares} × {crowns} = {points}", square: "1 square", squares: "{n} squares", busy: "Many photos at once; one moment.",
    sumOf: "{terrain}: {sum}", empty: "empty", castle: "castle", notSure: "not sure",
    crown: "1 crown", crowns: "{n} crowns", bonus: "{name}: {points}", gone: "The photo is forgotten.",
    added: "{place}, to be added", noTotal: "no total", export: "Save the ranking:",
    growleft: "Add a column on the left of kingdom {letter}",
    growright: "Add a column on the right of kingdom {letter}",
    growtop: "Add a row above kingdom {letter}", growbottom: "Add a row below kingdom {letter}",
    grown: "Kingdom {letter} has room for {n} more squares. Tap one of them.",
    fixed: "{place} is {face}.", shared: "The picture is saved.", picture: "The photo",
    likely: "Most likely", anyway: "Use {face} all the same",
    allelsewhere: "{face}: the box has {held}, and all of them lie elsewhere ({places}).",
    nootherhalf: "{face}: no domino joins it to what lies around it ({places}).",
    castleelsewhere: "The castle lies on {places}. Correct that square first.",
    nocutting: "{face}: the squares could not be cut into dominoes of the box. Another square would have to change too.",
    wheat: "wheat", forest: "forest", lake: "lake", grassland: "grassland", swamp: "swamp",
    mine: "mine",
  },
  de: {
    rules: "Regeln", size: "Größe", auto: "was passt", camera: "Foto aufnehmen",
    file: "Foto auswählen", harmony: "Harmonie (+5)", middle: "Reich der Mitte (+10)",
    undo: "Rückgängig", share: "Als Bild teilen", forget: "Foto vergessen",
    keep: "Zum Abend hinzufügen", keepAgain: "Spiel {game} ändern", evening: "Dieser Abend",
    other: "Etwas anderes", close: "Schließen", player: "Name", rank: "Rang", total: "Summe",
    game: "Spiel {game}", drop: "Vergessen", dropGame: "Spiel {game} vergessen", leads: "führt",
    sending: "Das Foto wird gesendet", scoring: "Wird gewertet", sure: "Sicher.",
    doubtful: "Nicht sicher.", waiting: "{n} Foto(s) warten auf das Netz.",
    failed: "Das ging nicht: {why}", offline: "Gerade ist kein Netz da. Bitte noch einmal versuchen.",
    kept: "Spiel {game} ist gespeichert.", needsName: "Schreib mindestens einen Namen.",
    kingdom: "Königreich {letter}", or: "oder {total}", lookAt: "Bitte ansehen: {places}.",
    sum: "{squares} × {crowns} = {points}", square: "1 Feld", squares: "{n} Felder",
    busy: "Viele Fotos auf einmal; einen Moment.", sumOf: "{terrain}: {sum}", empty: "leer",
    castle: "Schloss", notSure: "nicht sicher", crown: "1 Krone", crowns: "{n} Kronen",
    bonus: "{name}: {points}", gone: "Das Foto ist vergessen.", added: "{place}, kommt dazu",
    noTotal: "keine Summe", export: "Rangliste speichern:",
    growleft: "Links von Königreich {letter} eine Spalte ergänzen",
    growright: "Rechts von Königreich {letter} eine Spalte ergänzen",
    growtop: "Über Königreich {letter} eine Reihe ergänzen",
    growbottom: "Unter Königreich {letter} eine Reihe ergänzen",
    grown: "Königreich {letter} hat Platz für {n} weitere Felder. Tippe auf eines davon.",
    fixed: "{place} ist {face}.", shared: "Das Bild ist gespeichert.", picture: "Das Foto",
    likely: "Am wahrscheinlichsten", anyway: "Trotzdem {face}",
    allelsewhere: "{face}: In der Schachtel sind {held}, und alle liegen woanders ({places}).",
    nootherhalf: "{face}: Kein Domino verbindet es mit dem, was daneben liegt ({places}).",
    castleelsewhere: "Das Schloss liegt auf {places}. Ändere zuerst dieses Feld.",
    nocutting: "{face}: Die Felder ließen sich nicht in Dominos der Schachtel zerlegen. Ein anderes Feld müsste sich auch ändern.",
    wheat: "Weizen", forest: "Wald", lake: "See", grassland: "Wiese", swamp: "Sumpf", mine: "Mine",
  },
};

export const language = (navigator.language || "en").toLowerCase().startsWith("de") ? "de" : "en";

export function text(name, values = {}) {
  const found = TEXTS[language][name];
  return found.replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

// "1 crown", "3 crowns"; `name` is that of one.
export const count = (name, n) => text(n === 1 ? name : `${name}s`, { n });

export function fillTexts() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = text(element.dataset.text);
  }
}
