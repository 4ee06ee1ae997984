document.addEventListener("DOMContentLoaded", () => {
  renderReport(document.getElementById("report"), JSON.parse(document.getElementById("data").textContent));
});
