// The page of an evening on a page of stubs: `node night_cases.mjs STATIC SENTENCES CASE`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [, , folder, catalogue, name] = process.argv;

// As much of an element as the page uses before anything is in a game.
class Element extends EventTarget {
  children = [];
  dataset = {};
  files = [];
  style = { setProperty() {} };
  classList = { toggle() {} };
  attributes = {};
  textContent = "";
  setAttribute(key, value) { this.attributes[key] = value; }
  getAttribute(key) { return this.attributes[key] ?? null; }
  removeAttribute(key) { delete this.attributes[key]; }
  replaceChildren(...children) { this.children = children; }
  append(...children) { this.children.push(...children); }
  get lastChild() { return this.children.at(-1); }
  contains() { return false; }
  querySelector() { return new Element(); }
  focus() {}
}

const elements = new Map();
const $ = (id) => {
  if (!elements.has(id)) elements.set(id, new Element());
  return elements.get(id);
};
$("sentences").textContent = readFileSync(catalogue, "utf8");
globalThis.document = Object.assign(new EventTarget(), {
  getElementById: $, querySelectorAll: () => [], createElement: () => new Element(),
  createElementNS: () => new Element(), body: new Element(), activeElement: null, hidden: false,
});
const memory = new Map();
globalThis.localStorage = {
  getItem: (key) => memory.get(key) ?? null, setItem: (key, value) => memory.set(key, value),
};
globalThis.location = { search: "", hash: "" };
globalThis.addEventListener = () => {};
globalThis.URL.createObjectURL = () => "blob:1";
Object.defineProperty(globalThis, "navigator", { value: {} });
let everySecond = null;
globalThis.setInterval = (act) => { everySecond = act; };

// What the server answers to every request; null where there is no network.
let answer = null;
globalThis.fetch = async () => {
  if (!answer) throw new TypeError("no network");
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers: answer.headers });
};
const sent = [];
globalThis.XMLHttpRequest = class {
  upload = {};
  open() {}
  send(form) {
    sent.push(form.get("game"));
    setTimeout(() => { this.onloadend(); this.onerror(); });
  }
};

const rules = { size: null, boxes: 1 };
const EVENING = {
  games: ["1", "5"].map((game) => ({ game, players: [], unplaced: [], rules, complete: false })),
  next: "6", names: [], ranking: [], colours: [],
};

async function until(holds) {
  while (!holds()) await new Promise((done) => { setTimeout(done, 5); });
}

// Load the page, as a browser does once more after a reload.
async function load() {
  delete document.body.dataset.ready;
  await import(`${folder}/night/page.js?${Math.random()}`);
  await until(() => document.body.dataset.ready);
}

const cases = {
  async "a photo without network is for the game that was shown last"() {
    answer = { status: 200, body: EVENING };
    await load();
    answer = null;
    // The elements of the page before it was loaded again are gone with it.
    elements.delete("camera");
    await load();
    $("camera").files = [new File(["photo"], "a.jpg")];
    $("camera").dispatchEvent(new Event("change"));
    await until(() => sent.length);
    assert.deepEqual(sent, ["5"]);
  },

  async "a photo is for the game for which the camera was opened"() {
    answer = { status: 200, body: EVENING };
    await load();
    $("camera").dispatchEvent(new Event("click"));
    answer = { status: 200, body: { ...EVENING, games: [...EVENING.games, { ...EVENING.games[0], game: "6" }] } };
    await everySecond();
    for (const game of ["5", "6"]) {
      $("camera").files = [new File(["photo"], "a.jpg")];
      $("camera").dispatchEvent(new Event("change"));
      await until(() => sent.includes(game));
    }
  },

  async "what was changed in another data file is not taken back in this one"() {
    const step = { method: "PATCH", path: "/api/games/1", data: { "name.1": null } };
    memory.set("undo", JSON.stringify({ file: '"A', steps: [step] }));
    for (const [tag, isOther] of [['"B-7"', true], ['"A-8"', false]]) {
      answer = { status: 200, body: EVENING, headers: { ETag: tag } };
      await load();
      assert.equal($("undo").disabled, isOther, tag);
    }
  },

  async "a kingdom that was taken out of its game goes into no other one"() {
    const cell = { row: 0, col: 0, place: "A.a1", name: "a1", face: "C", inside: true, doubtful: false };
    const photo = {
      id: "P", fixes: {}, kingdoms: [{ status: "sure", scored: true, score: 4, territories: [], bonuses: {} }],
      views: [{ letter: "A", rows: 1, cols: 1, board: "b", cells: [cell], others: [], said: [] }],
    };
    answer = { status: 200, body: { ...EVENING, ...photo } };
    location.hash = "#game/1";
    await load();
    location.hash = "#kingdom/P/A";
    await everySecond();
    assert.equal($("back").href, "#game/1");
  },

  async "a phone that has to sign in again says so"() {
    answer = { status: 200, body: EVENING };
    await load();
    assert.equal($("status").textContent, "");
    answer = { status: 401, body: { error: "Open the address with its password." } };
    await everySecond();
    assert.match($("status").textContent, /with its password/);
  },
};

await cases[name]();
process.exit(0);
