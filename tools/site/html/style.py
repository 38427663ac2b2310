"""The style of the pages for screen, phone and paper, and the small script that filters lists as one types.

Without the script every page is complete: the field to filter by is shown only when the script runs.
"""

STYLE = """\
:root { --ink: #23261f; --soft: #62685a; --line: #d9d8cc; --paper: #fdfcf7; --box: #f4f2e8; --link: #1d5f8a;
  --word: #7a3e9d; --declares: #a03a2a; --fixed: #35700f; --number: #9a5b00; --text: #35700f; --comment: #767b6c;
  --good: #35700f; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e3da; --soft: #a3a797; --line: #44463d; --paper: #1c1d19;
  --box: #272822; --link: #85bfe8; --word: #cfa0ee; --declares: #f0917f; --fixed: #a5d47b; --number: #e5b566;
  --text: #a5d47b; --comment: #8f9482; --good: #a5d47b; --bad: #ff8a80; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.55;
  font: 1rem/1.55 system-ui, "Noto Sans", "Noto Sans JP", "Noto Sans CJK JP", "Hiragino Sans", sans-serif; }
a { color: var(--link); text-decoration: none; } a:hover, a:focus { text-decoration: underline; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: .8rem; border-bottom: 1px solid var(--line); }
header .game { font-weight: 600; color: var(--ink); }
header .top { display: flex; justify-content: space-between; gap: 1rem; }
nav { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; padding: .4rem 0 .6rem; }
nav [aria-current] { font-weight: 600; color: var(--ink); }
footer { margin-top: 3rem; padding: 1rem; color: var(--soft); font-size: .85rem; }
h1, h2, h3 { overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1.4rem 0 .4rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; padding-bottom: .15rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .5rem 0; } ul { margin: .4rem 0; padding-left: 1.2rem; }
.soft, .place, .word { color: var(--soft); font-size: .875rem; } a.place { color: var(--link); }
.place { overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, "Noto Sans Mono CJK JP", monospace; }
code { font-size: .92em; overflow-wrap: anywhere; }
pre { background: var(--box); border-radius: .3rem; padding: .6rem .8rem; margin: .4rem 0; font-size: .82rem;
  line-height: 1.5; overflow-x: auto; white-space: pre; }
pre code { font-size: 1em; overflow-wrap: normal; } pre a { color: inherit; }
pre a:hover { text-decoration: underline; }
.declares { color: var(--declares); font-weight: 600; } pre .word { color: var(--word);
  font-size: 1em; }
.fixed { color: var(--fixed); } .number { color: var(--number); } .text { color: var(--text); }
.comment { color: var(--comment); font-style: italic; } pre .clause { color: var(--soft); white-space: nowrap; }
pre a.name { text-decoration: underline; text-decoration-color: var(--line); text-underline-offset: .2em; }
.before { border-left: .25rem solid var(--bad); } .after { border-left: .25rem solid var(--good); }
.change h4, .change p { margin: .3rem 0; font-size: .875rem; font-weight: normal; color: var(--soft); }
.id { font-variant-numeric: tabular-nums; white-space: nowrap; }
.cites { list-style: none; padding: 0; font-size: .9rem; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
.mark { font-size: .8rem; border: 1px solid var(--line); border-radius: .8rem; padding: 0 .5rem; white-space: nowrap;
  font-weight: normal; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .8rem; margin-top: .8rem; }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .9rem; background: var(--box);
  color: inherit; break-inside: avoid; }
a.card:hover, a.card:focus { text-decoration: none; border-color: var(--link); }
.card b { display: block; } .card .soft { display: block; } .card .marks { margin-top: .4rem; display: block; }
.printed { font-size: 1.1rem; max-width: 42rem; border-left: .25rem solid var(--line); padding: .2rem .9rem;
  margin: .8rem 0; }
img.picture { max-width: 100%; height: auto; }
.item { margin: 1.4rem 0; padding-top: .2rem; } .item > h2, .item > h3 { margin-top: 0; }
.item + .item { border-top: 1px solid var(--line); padding-top: 1rem; }
.item > h2 { border: 0; font-size: 1.1rem; }
:target { background: linear-gradient(90deg, #f5d90a40, transparent); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .6rem 0; }
dt { color: var(--soft); } dd { margin: 0; }
.wide { overflow-x: auto; margin: .5rem 0; } table { border-collapse: collapse; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--line); }
td ul.cites { margin: 0; } td code, th code { white-space: nowrap; }
thead th { color: var(--soft); font-weight: normal; white-space: nowrap; } tbody th { font-weight: 600; }
details { margin: .4rem 0; } summary { cursor: pointer; color: var(--link); font-size: .9rem; }
input[type=search] { font: inherit; width: 100%; max-width: 24rem; padding: .35rem .6rem; margin: .6rem 0;
  border: 1px solid var(--line); border-radius: .3rem; background: var(--paper); color: inherit; }
.columns { columns: 17rem; column-gap: 2rem; list-style: none; padding: 0; }
.columns li { break-inside: avoid; overflow-wrap: anywhere; }
pre .row { display: block; min-height: 1.5em; padding-left: calc(1ch * (var(--d) + 4));
  text-indent: calc(-1ch * (var(--d) + 4)); }
.neighbours { display: flex; justify-content: space-between; gap: 1rem; margin-top: 2.5rem; }
.file { counter-reset: row; } .file .row { padding-left: calc(3.2rem + 1ch * (var(--d) + 4)); position: relative; }
.file .row::before { counter-increment: row; content: counter(row); position: absolute; left: 0; width: 2.4rem;
  text-align: right; text-indent: 0; color: var(--comment); user-select: none; }
[hidden] { display: none !important; }
@media (max-width: 40rem) { h1 { font-size: 1.35rem; } pre { font-size: .78rem; white-space: pre-wrap;
  overflow-wrap: anywhere; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; }
  .gallery { grid-template-columns: 1fr; }
  .file .row { padding-left: calc(2.4rem + 1ch * (var(--d) + 4)); } .file .row::before { width: 1.8rem; }
  nav { gap: .2rem .9rem; } }
@media print { nav, input, .top a, .neighbours, footer { display: none; }
  body { font-size: 10pt; background: #fff; color: #000; }
  header, main { max-width: none; padding: 0; } pre { white-space: pre-wrap; border: 1px solid #ccc; background: #fff; }
  a { color: inherit; } h2, h3 { break-after: avoid; } .gallery { grid-template-columns: 1fr 1fr; } }
"""

SCRIPT = """\
for (const field of document.querySelectorAll("input[data-filter]")) {
  field.hidden = false;
  const items = [...document.querySelectorAll("[data-find]")];
  const texts = items.map(item => item.textContent.toLowerCase());
  const groups = [...document.querySelectorAll("[data-group]")];
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(word => word);
    items.forEach((item, n) => { item.hidden = !words.every(word => texts[n].includes(word)); });
    groups.forEach(group => { group.hidden = !group.querySelector("[data-find]:not([hidden])"); });
  });
}
"""
