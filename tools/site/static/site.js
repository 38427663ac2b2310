for (const field of document.querySelectorAll("input[data-filter]")) {
  field.hidden = false;
  const items = [...document.querySelectorAll("[data-find]")];
  const texts = items.map(item => item.textContent.toLowerCase());
  const groups = [...document.querySelectorAll("[data-group]")];
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(word => word);
    items.forEach((item, n) => { item.hidden = !words.every(word => texts[n].includes(word)); });
    groups.forEach(group => { group.hidden = !group.querySelector("[data-find]:not([hidden])"); });
  });
}
