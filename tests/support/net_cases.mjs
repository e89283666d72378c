// What `net.js` keeps, sends and shows, without a browser: `node net_cases.mjs STATIC CASE`.

import assert from "node:assert/strict";

const [, , folder, name] = process.argv;
const kept = new Map();
// What the phone says to `put` at the end of its transaction.
let isFull = false;

// As much of IndexedDB as `net.js` uses: a request works at once, its transaction ends later.
function transaction() {
  const made = { error: null };
  const finish = (value, change) => {
    const asked = { result: value };
    queueMicrotask(() => {
      asked.onsuccess?.();
      setTimeout(() => {
        if (change && isFull) {
          made.error = new Error("QuotaExceededError");
          made.onabort?.();
          return;
        }
        change?.();
        made.oncomplete?.();
      });
    });
    return asked;
  };
  made.objectStore = () => ({
    getAll: () => finish([...kept.values()]),
    put: (item) => finish(item.key, () => kept.set(item.key, { ...item })),
    delete: (key) => finish(undefined, () => kept.delete(key)),
  });
  return made;
}

globalThis.document = { getElementById: () => null };
globalThis.indexedDB = {
  open() {
    const asked = { result: { transaction, close() {} } };
    queueMicrotask(() => asked.onsuccess());
    return asked;
  },
};

const { outbox, Refused, sendPhoto, watched } = await import(`${folder}/net.js`);

// A page that writes down what it is told.
function page(more = {}) {
  const told = [];
  const names = ["arrived", "refused", "later", "unkept"];
  const writes = Object.fromEntries(names.map((one) => [one, () => { told.push(one); }]));
  return { told, changed() {}, progress() {}, ...writes, ...more };
}

const answer = (status, body = {}, headers = {}) =>
  new Response(status === 304 ? null : JSON.stringify(body), { status, headers });

const cases = {
  async "a phone that says late that it is full has the photo in memory"() {
    isFull = true;
    const shown = page();
    let tries = 0;
    const box = outbox(shown, async () => {
      if (++tries === 1) throw new Error("network");
      return {};
    });
    await box.add(new File(["photo"], "a.jpg"), {});
    assert.ok(shown.told.includes("unkept") && shown.told.includes("later"));
    await box.run();
    assert.equal(shown.told.at(-1), "arrived");
  },

  async "a photo is kept while it is scaled down"() {
    const waits = [];
    globalThis.createImageBitmap = () => new Promise((_, reject) => { waits.push(reject); });
    const photo = new File([new Uint8Array(2_000_000)], "a.jpg");
    const sent = [];
    const box = outbox(page(), async (item) => { sent.push(item.photo); return {}; });
    const adding = box.add(photo, {});
    while (!kept.size) await new Promise((done) => { setTimeout(done, 5); });
    assert.deepEqual([...kept.values()].map((one) => one.photo), [photo]);
    await box.run();
    assert.deepEqual(sent, []);
    waits.forEach((fail) => fail(new Error("no picture")));
    await adding;
    assert.deepEqual(sent, [photo]);
    assert.equal(kept.size, 0);
  },

  async "a photo waits, is sent, is read, and is there"() {
    const stages = [];
    const shown = page({ changed: (items) => { stages.push(items.map((item) => item.stage)); } });
    let isOffline = true;
    const box = outbox(shown, async (item, sent) => {
      if (isOffline) throw new Error("network");
      await sent();
      return {};
    });
    await box.add(new File(["photo"], "a.jpg"), {});
    assert.deepEqual([stages.at(-1), shown.told], [[undefined], ["later"]]);
    isOffline = false;
    stages.length = 0;
    await box.run();
    assert.deepEqual(stages.slice(0, 3), [["sending"], ["read"], []]);
    assert.deepEqual(shown.told, ["later", "arrived"]);
  },

  async "only what is refused for good is dropped"() {
    for (const status of [400, 401, 408, 421, 429, 500, 503]) {
      const shown = page();
      let refusals = 1;
      const box = outbox(shown, async () => {
        if (refusals-- > 0) throw new Refused("no", status);
        return {};
      });
      await box.add(new File(["photo"], "a.jpg"), {});
      assert.deepEqual(shown.told, ["later"], `${status}`);
      await box.run();
      assert.deepEqual(shown.told, ["later", "arrived"], `${status}`);
    }
    for (const status of [403, 404, 409, 410, 413, 415, 422]) {
      const shown = page();
      await outbox(shown, async () => { throw new Refused("no", status); }).add(new File(["photo"], "a.jpg"), {});
      assert.deepEqual([shown.told, kept.size], [["refused"], 0], `${status}`);
    }
  },

  async "photos that are chosen together go in their order"() {
    let now = 1_800_000_000_000;
    Date.now = () => now--;
    const sent = [];
    const box = outbox(page(), async (item) => { sent.push(item.name); return {}; });
    const names = ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg", "f.jpg"];
    await Promise.all(names.map((one) => box.add(new File(["photo"], one), {})));
    await box.run();
    assert.deepEqual(sent, names);
  },

  async "an answer that never comes is not waited for"() {
    globalThis.XMLHttpRequest = class {
      upload = {};
      open() {}
      send() { setTimeout(() => { assert.ok(this.timeout > 0); this.ontimeout(); }); }
    };
    const photo = { options: {}, key: "1", photo: new File(["photo"], "a.jpg"), name: "a.jpg" };
    await assert.rejects(sendPhoto(photo), /network/);
  },

  async "a phone that keeps no page shows the one of the server"() {
    const listeners = {}, pages = [];
    globalThis.self = { addEventListener: (name, act) => { listeners[name] = act; }, skipWaiting() {} };
    globalThis.location = { origin: "http://x" };
    const request = { method: "GET", url: "http://x/" };
    const shown = () => {
      listeners.fetch({ request, respondWith: (answer) => { pages.push(answer); } });
      return pages.at(-1);
    };
    let isFull = true, isOffline = false;
    const stored = new Map();
    globalThis.fetch = async () => {
      if (isOffline) throw new TypeError("no network");
      return answer(200, { page: 1 });
    };
    globalThis.caches = {
      async open() {
        if (isFull) throw new Error("QuotaExceededError");
        return { put: async ({ url }, page) => { stored.set(url, page); } };
      },
      match: async ({ url }) => stored.get(url)?.clone(),
    };
    await import(`${folder}/sw.js`);
    assert.deepEqual(await (await shown()).json(), { page: 1 });
    isFull = false;
    await shown();
    isOffline = true;
    assert.deepEqual(await (await shown()).json(), { page: 1 });
    stored.clear();
    await assert.rejects(shown(), /no network/);
  },

  async "what could not be shown is asked for again"() {
    const tags = [], shown = [];
    globalThis.fetch = async (_, { headers }) => {
      tags.push(headers["If-None-Match"]);
      return headers["If-None-Match"] === "7" ? answer(304) : answer(200, { n: 1 }, { ETag: "7" });
    };
    let failures = 1;
    const look = watched(() => "/", async (found) => {
      if (failures-- > 0) throw new Error("network");
      shown.push(found);
    });
    await assert.rejects(look());
    await look();
    await look();
    assert.deepEqual([tags, shown], [[undefined, undefined, "7"], [{ n: 1 }]]);
  },
};

await cases[name]();
process.exit(0);
