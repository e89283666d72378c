// What the page says, by language. The browser's language decides.

const TEXTS = {
  en: {
    rules: "Rules", size: "Size", auto: "what fits", camera: "Take a photo", file: "Choose a photo",
    undo: "Undo", share: "Save the picture", forget: "Forget this photo", keep: "Add to the evening",
    evening: "This evening", other: "Anything else", close: "Close", player: "Player",
    total: "Total", games: "Games", game: "Game", drop: "Forget", leader: "leads",
    sending: "Sending the photo", scoring: "Scoring", sure: "Sure.", doubtful: "Not sure.",
    waiting: "{n} photo(s) wait for the network.", failed: "It did not work: {why}",
    kept: "Game {game} is kept.", needsName: "Write at least one player's name.",
    kingdom: "Kingdom {letter}", or: "or {total}", lookAt: "Look at {places}.",
    sum: "{squares} squares × {crowns} crowns = {points}", busy: "Many photos at once; one moment.",
    empty: "empty", castle: "castle", notSure: "not sure", add: "add a square", crowns: "{n} crowns",
    bonus: "{name}: {points}", gone: "The photo is forgotten.",
    wheat: "wheat", forest: "forest", lake: "lake", grassland: "grassland", swamp: "swamp",
    mine: "mine",
  },
  de: {
    rules: "Regeln", size: "Größe", auto: "was passt", camera: "Foto aufnehmen",
    file: "Foto auswählen", undo: "Rückgängig", share: "Bild speichern", forget: "Foto vergessen",
    keep: "Zum Abend hinzufügen", evening: "Dieser Abend", other: "Etwas anderes",
    close: "Schließen", player: "Spieler", total: "Summe", games: "Spiele", game: "Spiel",
    drop: "Vergessen", leader: "führt", sending: "Das Foto wird gesendet", scoring: "Wird gewertet",
    sure: "Sicher.", doubtful: "Nicht sicher.", waiting: "{n} Foto(s) warten auf das Netz.",
    failed: "Das ging nicht: {why}", kept: "Spiel {game} ist gespeichert.",
    needsName: "Schreib mindestens einen Namen.", kingdom: "Königreich {letter}",
    or: "oder {total}", lookAt: "Bitte ansehen: {places}.",
    sum: "{squares} Felder × {crowns} Kronen = {points}",
    busy: "Viele Fotos auf einmal; einen Moment.", empty: "leer", castle: "Schloss",
    notSure: "nicht sicher", add: "Feld ergänzen", crowns: "{n} Kronen",
    bonus: "{name}: {points}", gone: "Das Foto ist vergessen.",
    wheat: "Weizen", forest: "Wald", lake: "See", grassland: "Wiese", swamp: "Sumpf", mine: "Mine",
  },
};

export const language = (navigator.language || "en").toLowerCase().startsWith("de") ? "de" : "en";

export function text(name, values = {}) {
  const found = TEXTS[language][name];
  return found.replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

export function fillTexts() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = text(element.dataset.text);
  }
}
