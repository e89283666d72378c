// Dialogs, which the way back of the browser closes.

import { $, all, make, text } from "./dom.js";

// Ends when the browser has gone back from a dialog that was closed.
/** @type {Promise<void> | null} */
let leaving = null;

/** @type {(dialog: any) => void} */
export function openDialog(dialog) {
  if (dialog.open) return;
  if (leaving) {
    leaving.then(() => openDialog(dialog));
    return;
  }
  history.pushState({ dialog: dialog.id }, "");
  dialog.showModal();
}

// A dialog that was closed by its buttons leaves nothing to go back to.
addEventListener("close", ({ target }) => {
  if (history.state?.dialog !== (/** @type {any} */ (target)).id) return;
  leaving = new Promise((/** @type {(nothing: void) => void} */ done) => {
    addEventListener("popstate", () => { leaving = null; done(); }, { once: true });
  });
  history.back();
}, true);
addEventListener("popstate", () => {
  for (const dialog of all("dialog[open]")) dialog.close();
});

// Ask something, and give the answer that was tapped; nothing where the question was closed.
/** @type {(question: string, answers: Record<string, string>) => Promise<string>} */
export function ask(question, answers) {
  const dialog = $("question");
  $("question-text").textContent = question;
  return new Promise((resolve) => {
    let answer = "";
    const choices = Object.entries(answers).map(([name, words]) =>
      make("button", { type: "submit", "data-answer": name, click: () => { answer = name; } }, words));
    $("answers").replaceChildren(...choices, make("button", { type: "submit", class: "quiet" }, text("page.cancel")));
    dialog.onclose = async () => {
      await leaving;
      resolve(answer);
    };
    openDialog(dialog);
  });
}
