"use strict";
(() => {
  const cards = [...document.querySelectorAll(".card")];
  const buttons = [...document.querySelectorAll("#filters button")];
  const search = document.getElementById("search");
  const none = document.getElementById("none");
  const large = document.getElementById("large");
  let state = "";
  let shown = null;

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const card of cards) {
      const fits = (!state || card.dataset.state === state)
        && words.every((word) => card.dataset.words.includes(word));
      card.hidden = !fits;
      count += fits;
    }
    none.hidden = count > 0;
  }

  for (const button of buttons) {
    button.addEventListener("click", () => {
      state = button.dataset.filter;
      for (const other of buttons) {
        other.setAttribute("aria-pressed", String(other === button));
      }
      filter();
    });
  }
  search.addEventListener("input", filter);

  function show(card) {
    shown = card;
    const small = card.querySelector("img");
    const picture = large.querySelector("img");
    picture.src = small.src;
    picture.alt = small.alt;
    const said = ["h2", ".head", ".state"].map((part) => card.querySelector(part).textContent);
    large.querySelector("p").textContent = said.filter(Boolean).join(" \u2013 ");
    if (!large.open) {
      large.showModal();
    }
  }

  function step(by) {
    const open = cards.filter((card) => !card.hidden && card.querySelector("img"));
    const next = open[open.indexOf(shown) + by];
    if (next) {
      show(next);
    }
  }

  for (const card of cards) {
    card.querySelector(".open")?.addEventListener("click", () => show(card));
  }
  large.addEventListener("click", () => large.close());
  large.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      step(event.key === "ArrowRight" ? 1 : -1);
    }
  });

  const standings = document.getElementById("standings");
  if (standings && innerWidth < 640) {
    standings.open = false;
  }
  let folded = false;
  addEventListener("beforeprint", () => {
    folded = standings !== null && !standings.open;
    if (folded) {
      standings.open = true;
    }
  });
  addEventListener("afterprint", () => {
    if (folded) {
      standings.open = false;
    }
  });
})();
