// Small things that all parts of the page use: elements, sentences, what this phone remembers.

export const $ = (id) => document.getElementById(id);

export function make(name, content = "", attributes = {}) {
  const made = document.createElement(name);
  made.textContent = content;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function makeButton(content, act, kind = "quiet") {
  const made = make("button", content, { type: "button", class: kind });
  made.addEventListener("click", act);
  return made;
}

// The sentence in the live region, which screen readers read out.
export const say = (sentence) => { $("status").textContent = sentence; };

export const remember = (name, value) => localStorage.setItem(name, JSON.stringify(value));

export function remembered(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

// What belongs to one photo: the names of its players, and how to take corrections back.
export function ofPhoto(id) {
  const kept = remembered("table", {});
  return kept.id === id ? kept : { id, names: {}, undo: [] };
}

export const rememberOfPhoto = (kept) => remember("table", kept);
