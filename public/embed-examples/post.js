// The page's own switch between light and dark: the widgets follow it.
document.querySelector(".look")?.addEventListener("click", () => {
  const root = document.documentElement;
  root.dataset.look = root.dataset.look === "dark" ? "light" : "dark";
});
