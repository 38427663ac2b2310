// Saving a game as a link or a file, and opening one again.
"use strict";
(function (rw) {
  const { tag } = rw;
  const MARK = "#game=";

  // The button that saves; then the link and the file.
  function saveForm(page) {
    const save = async () => {
      const { game } = page;
      const text = await rw.packedText(rw.savedGame(game, page.begun));
      if (page.game !== game) return;
      const file = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      page.saving = { text, file, store: game.store };
      page.render();
    };
    const parts = [tag("button", { id: "save", onclick: save }, page.say("save"))];
    if (page.saving && page.saving.store === page.game.store) {
      const { text, file } = page.saving;
      const address = location.href.split("#")[0] + MARK + text;
      parts.push(tag("a", { id: "link", href: address, target: "_blank", rel: "noopener" }, page.say("link")),
        tag("a", { id: "file", href: file, download: `${page.plan.id}.game.txt` }, page.say("file")));
    }
    return tag("span", { class_: "bar" }, parts);
  }

  // Where a saved game is opened: its text, or a file.
  function openForm(page) {
    const area = tag("textarea", { id: "saved-text", rows: 2, "aria-label": page.say("saved_text") });
    const file = tag("input", { id: "saved-file", type: "file", "aria-label": page.say("file"), onchange: async (e) => {
      if (e.target.files.length) openText(page, await e.target.files[0].text());
    } });
    return tag("details", { id: "opening" }, tag("summary", {}, page.say("open_saved")), tag("div", { class_: "bar" }, area,
      tag("button", { id: "open", type: "button", onclick: () => openText(page, area.value) }, page.say("open")), file));
  }

  // Open a game that is given as text, or as a link with it.
  async function openText(page, text) {
    const saved = await rw.unpackedText(text.slice(text.lastIndexOf("=") + 1));
    const fault = rw.unfit(page.plan, saved);
    if (fault) {
      page.notice = page.say(fault);
      return page.render();
    }
    const who = page.kinds();
    page.setup = { ...page.setup, seats: saved.seats, trials: Number(saved.trials) || rw.ITERATIONS,
      options: Object.fromEntries(page.plan.options.map(({ name }) => [name, saved.options[name]])),
      players: page.setup.players.map((own, n) => (who.includes(saved.players[n]) ? saved.players[n] : own)) };
    page.tab = "play";
    page.start(rw.asSeed(String(saved.seed)));
    const given = rw.replayed(page.game, saved.answers);
    page.tell();
    if (given < saved.answers.length) {
      page.notice = page.say("part_save", { n: given });
      return page.render();
    }
    return page.run();
  }

  // Open the game in the address of the page, now and when the address changes.
  function openLink(page) {
    const look = () => { if (location.hash.startsWith(MARK)) openText(page, location.hash); };
    addEventListener("hashchange", look);
    look();
  }

  Object.assign(rw, { saveForm, openForm, openLink });
})((globalThis.Rulewright = globalThis.Rulewright || {}));
