"use strict";
(() => {
  const cards = [...document.querySelectorAll(".card")];
  const groups = [...document.querySelectorAll(".round, .group")];
  const buttons = [...document.querySelectorAll("#filters button")];
  const search = document.getElementById("search");
  const none = document.getElementById("none");
  const large = document.getElementById("large");
  const announced = document.getElementById("shown");
  let state = "";
  let shown = null;

  /* The first card that is seen below the header, where the reader is. */
  function place() {
    const top = document.querySelector("header").getBoundingClientRect().bottom;
    return cards.find((card) => !card.hidden && card.getBoundingClientRect().bottom > top);
  }

  function filter() {
    const before = place();
    const offset = before && before.getBoundingClientRect().top;
    const moved = scrollY > 0;
    const words = search.value.normalize().toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const card of cards) {
      const fits = (!state || card.dataset.state === state)
        && words.every((word) => card.dataset.search.includes(word));
      card.hidden = !fits;
      count += fits;
    }
    none.hidden = count > 0;
    const filtered = Boolean(state || words.length);
    document.body.classList.toggle("filtered", filtered);
    for (const group of groups) {
      group.hidden = filtered && !group.querySelector(".card:not([hidden])");
    }
    announced.textContent = filtered ? `${count} of ${cards.length} shown` : "";
    if (moved && before) {
      const after = cards.slice(cards.indexOf(before)).find((card) => !card.hidden)
        ?? cards.findLast((card) => !card.hidden);
      if (after) {
        scrollBy(0, after.getBoundingClientRect().top - offset);
      }
    }
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

  function open() {
    return cards.filter((card) => !card.hidden && card.querySelector("img"));
  }

  function show(card) {
    shown = card;
    const small = card.querySelector("img");
    const picture = large.querySelector("img");
    picture.src = small.src;
    picture.alt = small.alt;
    const said = [".name", ".place", ".head", ".state", ".closing"]
      .map((part) => card.querySelector(part)?.textContent.trim().replace(/\s+/g, " "));
    large.querySelector("p").textContent = said.filter(Boolean).join(" \u2013 ");
    const at = open().indexOf(card);
    large.querySelector(".previous").disabled = at === 0;
    large.querySelector(".next").disabled = at === open().length - 1;
    if (!large.open) {
      large.showModal();
    }
  }

  function step(by) {
    const next = open()[open().indexOf(shown) + by];
    if (next) {
      show(next);
    }
  }

  for (const card of cards) {
    card.querySelector(".open")?.addEventListener("click", () => show(card));
  }
  large.querySelector(".previous").addEventListener("click", () => step(-1));
  large.querySelector(".next").addEventListener("click", () => step(1));
  large.querySelector(".close").addEventListener("click", () => large.close());
  large.querySelector("img").addEventListener("click", () => {
    if (!swiped) {
      large.close();
    }
  });
  large.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      step(event.key === "ArrowRight" ? 1 : -1);
    }
  });
  large.addEventListener("close", () => {
    shown?.scrollIntoView({ block: "nearest" });
    shown?.querySelector(".open")?.focus();
  });

  /* A swipe goes sideways by at least 40 pixels, and further sideways than up or down. */
  let from = null;
  let swiped = false;
  large.addEventListener("touchstart", (event) => {
    swiped = false;
    from = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  large.addEventListener("touchend", (event) => {
    const to = event.changedTouches[0];
    const across = from ? to.clientX - from.clientX : 0;
    if (from && Math.abs(across) >= 40 && Math.abs(across) > Math.abs(to.clientY - from.clientY)) {
      swiped = true;
      step(across < 0 ? 1 : -1);
    }
    from = null;
  }, { passive: true });

  const standings = document.getElementById("standings");
    document.getElementById("print")?.addEventListener("click", () => {
    document.body.classList.add("standings-only");
    print();
  });
  let folded = false;
  addEventListener("beforeprint", () => {
    folded = standings !== null && !standings.open;
    if (folded) {
      standings.open = true;
    }
  });
  addEventListener("afterprint", () => {
    document.body.classList.remove("standings-only");
    if (folded) {
      standings.open = false;
    }
  });
})();
