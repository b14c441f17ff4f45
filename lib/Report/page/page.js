// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws what a tuning run found, from the JSON in the page. Names, messages and paths are only ever set as text.
"use strict";
(() => {
const { reports } = JSON.parse(document.getElementById("reports").textContent);

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

const colourOf = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const digits = (value, count) => value === null || value === undefined ? "" : Number(value.toPrecision(count)).toString();
const milliseconds = value => value === null || value === undefined ? "" : digits(value, 5) + " ms";
const nameOf = row => row.variant || "(as written, prepared)";
const modelledText = row => row.modelled_ms ? (row.modelled_is_estimate ? "~" : "") + milliseconds(row.modelled_ms) : "";
const shared = row => row.shared_bytes === null ? null : row.shared_bytes + (row.dynamic_shared_bytes ?? 0);

/// What a row is drawn as.
function kindOf(report, row) {
  if ([row.status, row.check, row.cpu_check].includes("wrong")) return "wrong";
  if (row.pareto) return "pareto";
  return row.median_ms !== null ? "timed" : "plain";
}

const kindNames = {
  plain: "not timed", timed: "timed", pareto: "on the Pareto set", wrong: "computes something else",
};

/// Of a plot in pixels, so that two stand side by side on a sheet.
const printedWidth = 330;

// --- Plots -------------------------------------------------------------------------------------

/// Draws each point as a disc of its kind's colour; the best is ringed. What the filter leaves out is faint.
function drawPoints(points) {
  return plot => {
    const { ctx } = plot, ratio = devicePixelRatio || 1;
    ctx.save();
    for (const kind of ["plain", "timed", "pareto", "wrong"]) {
      ctx.fillStyle = colourOf(kind);
      for (const point of points)
        if (point.kind === kind) {
          ctx.globalAlpha = point.row.isShown ? 0.85 : 0.1;
          ctx.beginPath();
          ctx.arc(plot.valToPos(point.x, "x", true), plot.valToPos(point.y, "y", true), 3.5 * ratio, 0, 2 * Math.PI);
          ctx.fill();
        }
    }
    ctx.globalAlpha = 1;
    ctx.lineWidth = 2.5 * ratio;
    ctx.strokeStyle = colourOf("best");
    for (const point of points.filter(p => p.isBest)) {
      ctx.beginPath();
      ctx.arc(plot.valToPos(point.x, "x", true), plot.valToPos(point.y, "y", true), 8 * ratio, 0, 2 * Math.PI);
      ctx.stroke();
    }
    ctx.restore();
    return null;
  };
}

function nearest(plot, points, left, top) {
  let found = null, least = 30 * 30;
  for (const point of points) {
    const distance = (plot.valToPos(point.x, "x") - left) ** 2 + (plot.valToPos(point.y, "y") - top) ** 2;
    if (point.row.isShown && distance < least) [found, least] = [point, distance];
  }
  return found;
}

/// A plot of points {x, y, kind, row, isBest}; the pointer or the arrow keys name one, Enter opens its row.
function makePlot(what, points, axes, describe, open) {
  const holder = make("div", { class: "plot", tabindex: 0, role: "application", "aria-label": what });
  const hint = make("div", { class: "hint", hidden: "", "aria-live": "polite" });
  const ordered = [...points].sort((a, b) => a.x - b.x);
  let chosen = null;
  const axis = (label, more) => ({
    label, stroke: () => colourOf("ink"), grid: { stroke: () => colourOf("line"), width: 1 },
    ticks: { stroke: () => colourOf("line") }, size: 40, labelGap: 0, labelSize: 24, ...more,
  });
  const plot = new uPlot({
    width: 600, height: 380, mode: 2, legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: false, ...axes.x.scale }, y: axes.y.scale },
    axes: [axis(axes.x.label, axes.x.axis), axis(axes.y.label, { size: 60, ...axes.y.axis })],
    series: [{}, { facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }], paths: drawPoints(points) }],
    hooks: { draw: axes.draw ? [axes.draw] : [] },
  }, [null, [points.map(p => p.x), points.map(p => p.y)]], holder);
  holder.append(hint);

  function choose(point) {
    chosen = point;
    hint.hidden = !point;
    if (!point) return;
    hint.replaceChildren(...describe(point.row));
    const left = plot.valToPos(point.x, "x") + plot.over.offsetLeft, top = plot.valToPos(point.y, "y") + plot.over.offsetTop;
    hint.style.left = Math.min(left + 12, Math.max(0, holder.clientWidth - hint.offsetWidth)) + "px";
    hint.style.top = top + 12 + "px";
  }
  plot.over.addEventListener("mousemove", event => choose(nearest(plot, points, event.offsetX, event.offsetY)));
  plot.over.addEventListener("mouseleave", () => choose(null));
  plot.over.addEventListener("click", () => chosen && open(chosen.row));
  holder.addEventListener("blur", () => choose(null));
  holder.addEventListener("keydown", event => {
    const shown = ordered.filter(point => point.row.isShown), at = shown.indexOf(chosen);
    if (event.key === "Enter" && chosen) open(chosen.row);
    else if (event.key === "Escape") choose(null);
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft")
      choose(shown[Math.min(Math.max(at + (event.key === "ArrowRight" ? 1 : at < 0 ? shown.length : -1), 0), shown.length - 1)] ?? null);
    else return;
    event.preventDefault();
  });
  const fit = width => width && plot.setSize({ width, height: Math.min(380, Math.round(width * 0.75)) });
  new ResizeObserver(() => fit(holder.clientWidth)).observe(holder);
  addEventListener("beforeprint", () => fit(printedWidth));
  addEventListener("afterprint", () => fit(holder.clientWidth));
  for (const query of ["(prefers-color-scheme: dark)", "print"])
    matchMedia(query).addEventListener("change", () => plot.redraw(false));
  return { holder, redraw: () => plot.redraw(false) };
}

function describe(row) {
  const line = (name, value) => value === "" || value === null ? null : make("div", {}, `${name} ${value}`);
  return [
    make("div", { class: "text" }, nameOf(row)),
    line("time:", row.median_ms === null ? row.status : milliseconds(row.median_ms)),
    line("modelled time:", row.modelled_ms ? `${modelledText(row)}, bound by ${row.modelled_bound}` : ""),
    line("registers:", row.registers), line("occupancy:", row.occupancy === null ? "" : Math.round(100 * row.occupancy) + " %"),
    line("Efficiency:", digits(row.efficiency, 3)), line("Utilization:", digits(row.utilization, 3)),
  ].filter(Boolean);
}

/// From a little below the least to a little above the largest, on a logarithmic scale.
const around = values => ({ distr: 3, range: () => [Math.min(...values) / 1.15, Math.max(...values) * 1.15] });

/// Few labels of a logarithmic scale: those of 1, 2 and 5 where there is room, else the powers of ten.
const fewLabels = { filter: (plot, splits) => splits, values: (plot, splits) => splits.map(v => v !== null && /^[125]/.test(v.toExponential()) ? digits(v, 3) : "") };

function plane(report, open) {
  const points = report.variants.filter(row => row.efficiency > 0 && row.utilization > 0).map(row => (
    { x: row.efficiency, y: row.utilization, row, kind: kindOf(report, row), isBest: row === report.best }));
  if (points.length === 0) return null;
  const drawn = makePlot("Efficiency and Utilization of each variant", points,
    { x: { label: "Efficiency", scale: around(points.map(p => p.x)), axis: fewLabels },
      y: { label: "Utilization", scale: around(points.map(p => p.y)), axis: fewLabels } }, describe, open);
  return { redraw: drawn.redraw, figure: make("figure", {}, drawn.holder, make("figcaption", {},
    "The metrics of Ryoo et al.: further to the right fewer instructions are executed, further up more of the waiting is hidden. " +
    "No variant is better in both than one on the Pareto set.")) };
}

/// The line of stock clang's time.
function stockLine(report) {
  const ms = report.stock.median_ms;
  return ms === null ? null : plot => {
    const y = plot.valToPos(ms, "y", true), { ctx, bbox } = plot, ratio = devicePixelRatio || 1;
    if (y < bbox.top || y > bbox.top + bbox.height) return;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colourOf("stock");
    ctx.lineWidth = 1.5 * ratio;
    ctx.setLineDash([6 * ratio, 4 * ratio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.textAlign = "left";
    ctx.textBaseline = "bottom";
    ctx.font = 12 * ratio + "px sans-serif";
    ctx.fillText("as written, stock clang", bbox.left + 6 * ratio, y - 2 * ratio);
    ctx.restore();
  };
}

function times(report, open) {
  const rows = report.variants.filter(row => row.median_ms !== null).sort((a, b) => a.median_ms - b.median_ms);
  if (rows.length === 0) return null;
  const points = rows.map((row, rank) => (
    { x: rank + 1, y: row.median_ms, row, kind: kindOf(report, row), isBest: row === report.best }));
  const all = rows.map(row => row.median_ms).concat(report.stock.median_ms ?? []);
  const drawn = makePlot("Time of each variant that was timed, fastest first", points, {
    x: { label: "variants, fastest first", scale: { range: () => [0.5, rows.length + 0.5] } },
    y: { label: "time in ms", scale: around(all), axis: fewLabels },
    draw: stockLine(report),
  }, describe, open);
  return { redraw: drawn.redraw, figure: make("figure", {}, drawn.holder,
    make("figcaption", {}, "Median time on the GPU of each variant that was timed.")) };
}

/// What the model says beside what was measured; where too little was, its order alone.
function modelled(report, open) {
  const rows = report.variants.filter(row => row.modelled_ms && row.duplicate_of === null);
  const timed = rows.filter(row => row.median_ms !== null), areBoth = timed.length > 1;
  if (rows.length === 0) return null;
  const shown = areBoth ? timed : rows.sort((a, b) => a.modelled_ms - b.modelled_ms);
  const points = shown.map((row, rank) => ({ x: areBoth ? row.modelled_ms : rank + 1, y: areBoth ? row.median_ms : row.modelled_ms,
    row, kind: kindOf(report, row), isBest: row === report.best }));
  const drawn = makePlot(areBoth ? "Modelled and measured time of each variant that was timed" : "Modelled time of each variant, fastest first", points, {
    x: areBoth ? { label: "modelled time in ms", scale: around(points.map(p => p.x)), axis: fewLabels }
      : { label: "variants, fastest first", scale: { range: () => [0.5, shown.length + 0.5] } },
    y: { label: areBoth ? "time in ms" : "modelled time in ms", scale: around(points.map(p => p.y)), axis: fewLabels },
  }, describe, open);
  return { redraw: drawn.redraw, figure: make("figure", {}, drawn.holder, make("figcaption", {}, areBoth
    ? "What the model says beside what was measured. The nearer the points are to a rising line, the better its order."
    : "What the model says of each variant. Nothing of it was measured.")) };
}

function legend(report) {
  const present = new Set(report.variants.map(row => kindOf(report, row)));
  const item = (name, colour, text) => make("li", {}, make("i", { class: name, style: `--of: var(--${colour})` }), text);
  return make("ul", { class: "legend" }, ...Object.entries(kindNames).filter(([kind]) => present.has(kind)).map(([kind, name]) => item("", kind, name)),
    report.best ? item("ring", "best", "the best") : null);
}

// --- The table ---------------------------------------------------------------------------------

/// Measured and modelled times have columns where there are any.
const columnsOf = report => columns.filter(column => !column.needs || [report.stock, ...report.variants].some(row => row[column.needs]));
const columns = [
  { title: "time ms", of: row => row.median_ms, needs: "median_ms", show: row => digits(row.median_ms, 5) },
  { title: "× stock", of: (row, report) => row.median_ms && report.stock.median_ms ? report.stock.median_ms / row.median_ms : null,
    needs: "median_ms", show: (row, report, value) => digits(value, 3), falling: true },
  { title: "modelled ms", of: row => row.modelled_ms || null, needs: "modelled_ms",
    show: row => row.modelled_ms ? (row.modelled_is_estimate ? "~" : "") + digits(row.modelled_ms, 4) : "" },
  { title: "bound by", of: row => row.modelled_bound ?? "", left: true, needs: "modelled_ms" },
  { title: "variant", of: nameOf, left: true },
  { title: "status", of: row => row.status, left: true },
  { title: "GPU check", of: row => row.check, left: true },
  { title: "CPU check", of: row => row.cpu_check, left: true },
  { title: "registers", of: row => row.registers },
  { title: "shared", of: shared },
  { title: "blocks/SM", of: row => row.blocks_per_sm },
  { title: "occupancy", of: row => row.occupancy, show: row => row.occupancy === null ? "" : Math.round(100 * row.occupancy) + " %" },
  { title: "instructions", of: row => row.instr, show: row => digits(row.instr, 6) },
  { title: "regions", of: row => row.regions, show: row => digits(row.regions, 6) },
  { title: "Efficiency", of: row => row.efficiency, show: row => row.efficiency === null ? "" : row.efficiency.toExponential(2), falling: true },
  { title: "Utilization", of: row => row.utilization, show: row => digits(row.utilization, 4), falling: true },
  { title: "Pareto", of: row => row.pareto ? "yes" : "", left: true, falling: true },
];
const firstRows = 200;

function compare(a, b) {
  const missing = v => v === null || v === undefined || v === "";
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  return typeof a === "string" ? a.localeCompare(b) : a - b;
}

function detail(row) {
  const said = Object.entries(row).filter(([key, value]) => !key.startsWith("is") && value !== null && value !== "" &&
    !(Array.isArray(value) && value.length === 0));
  const text = value => Array.isArray(value) ? value.map(text).join(", ") : typeof value === "object" ? JSON.stringify(value) : String(value);
  return make("dl", {}, ...said.flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, text(value))]));
}

/// The table of a report's rows, with its search.
class Table {
  constructor(report, changed) {
    this.report = report;
    this.changed = changed;
    this.columns = columnsOf(report);
    const first = [["median_ms", "time ms"], ["modelled_ms", "modelled ms"]].find(([key]) => report.variants.some(row => row[key]));
    const column = this.columns.find(each => each.title === (first?.[1] ?? "Efficiency"));
    this.sorted = { column, down: Boolean(column.falling) };
    this.limit = firstRows;
    this.rows = [report.stock, ...report.variants];
    this.search = make("input", { type: "search", placeholder: "words of a variant, a status, a message", oninput: () => this.filter() });
    const statuses = [...new Set(this.rows.map(row => row.status))].sort();
    this.status = make("select", { onchange: () => this.filter() }, make("option", { value: "" }, "all"),
      ...statuses.map(name => make("option", { value: name }, name)));
    this.only = make("select", { onchange: () => this.filter() },
      ...[["", "all"], ["timed", "timed"], ["pareto", "on the Pareto set"]].map(([value, name]) => make("option", { value }, name)));
    this.count = make("span", { class: "faint", role: "status" });
    this.head = make("tr");
    this.body = make("tbody");
    this.more = make("p", { class: "more" });
    this.element = make("section", {}, make("h2", {}, "Variants"),
      make("div", { class: "tools" }, make("label", {}, "Search", this.search), make("label", {}, "Status", this.status),
        make("label", {}, "Rows", this.only), this.count),
      make("div", { class: "scroll" }, make("table", {}, make("thead", {}, this.head), this.body)), this.more);
    this.filter();
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of this.rows) {
      const text = [row.isStock ? "(as written, stock clang -O3)" : nameOf(row), row.status, row.message, row.refusal ?? "", row.no_win ?? ""].join(" ").toLowerCase();
      row.isShown = words.every(word => text.includes(word)) && (!this.status.value || row.status === this.status.value) &&
        (!this.only.value || (this.only.value === "timed" ? row.median_ms !== null : row.pareto));
    }
    this.draw();
    this.changed();
  }

  sortBy(column) {
    const same = this.sorted.column === column;
    this.sorted = { column, down: same ? !this.sorted.down : Boolean(column.falling) };
    this.draw();
  }

  drawHead() {
    const { column: by, down } = this.sorted, focused = [...this.head.children].findIndex(cell => cell.contains(document.activeElement));
    this.head.replaceChildren(...this.columns.map(column => make("th",
      { class: column.left ? "left" : null, scope: "col", "aria-sort": column !== by ? null : down ? "descending" : "ascending" },
      make("button", { onclick: () => this.sortBy(column) }, column.title + (column !== by ? "" : down ? " ▼" : " ▲")))));
    this.head.children[focused]?.querySelector("button").focus();
  }

  drawRow(row) {
    const { report } = this, tr = make("tr", { class: row === report.best ? "best" : kindOf(report, row) === "wrong" ? "wrong" : null });
    for (const column of this.columns) {
      const value = column.of(row, report);
      let shown = column.show ? column.show(row, report, value) : value ?? "";
      if (column.of === nameOf)
        shown = make("button", { "aria-expanded": "false", onclick: () => this.toggle(tr, row) }, row.isStock ? "(as written, stock clang -O3)" : nameOf(row));
      tr.append(make("td", { class: column.of === nameOf ? "text" : column.left ? "left" : null }, shown));
    }
    row.element = tr;
    return tr;
  }

  toggle(tr, row) {
    const isOpen = tr.nextSibling?.dataset?.detail === "";
    tr.querySelector("button").setAttribute("aria-expanded", String(!isOpen));
    if (isOpen) tr.nextSibling.remove();
    else tr.after(make("tr", { "data-detail": "" }, make("td", { class: "detail", colspan: this.columns.length }, detail(row))));
  }

  /// Shows the row of \p row, with what is known of it.
  open(row) {
    if (!row.element?.isConnected) {
      this.limit = Infinity;
      this.draw();
    }
    if (row.element.nextSibling?.dataset?.detail !== "") this.toggle(row.element, row);
    row.element.scrollIntoView({ block: "center" });
    row.element.querySelector("button").focus({ preventScroll: true });
  }

  draw() {
    const { column, down } = this.sorted, key = row => column.of(row, this.report);
    const empty = row => { const value = key(row); return value === null || value === undefined || value === ""; };
    const shown = this.rows.filter(row => row.isShown).sort((a, b) =>
      empty(a) || empty(b) ? empty(a) - empty(b) : (down ? -1 : 1) * compare(key(a), key(b)));
    this.drawHead();
    for (const row of this.rows) row.element = null;
    this.body.replaceChildren(...shown.slice(0, this.limit).map(row => this.drawRow(row)));
    this.count.textContent = `${shown.length} of ${this.rows.length} rows`;
    this.more.replaceChildren(...(shown.length > this.limit
      ? [make("button", { onclick: () => { this.limit = Infinity; this.draw(); } }, `Show all ${shown.length} rows`)] : []));
  }
}

// --- The page ----------------------------------------------------------------------------------

function card(value, text) { return make("div", { class: "card" }, make("b", {}, value), text); }

const timedCount = report => report.variants.filter(row => row.median_ms !== null && row.duplicate_of === null).length;

/// The row that --strategy=model chose: stock's where that is as the author wrote it.
const modelChoice = report => report.variants.find(row => row.variant === report.model_choice.variant) ?? report.stock;

function cards(report) {
  const { stock, best } = report;
  const wrong = report.variants.filter(row => kindOf(report, row) === "wrong").length;
  const found = [];
  if (report.speedup) found.push(card(digits(report.speedup, 3) + " ×", "as fast as stock clang's code"));
  if (best) found.push(card(milliseconds(report.winner_median_ms ?? best.median_ms), "the best variant"));
  if (stock.median_ms !== null) found.push(card(milliseconds(stock.median_ms), "as written, stock clang -O3"));
  if (report.model_choice && timedCount(report) === 0) {
    found.push(card(modelledText(modelChoice(report)), "the model's choice: modelled, not measured"));
    found.push(card(modelledText(stock), "modelled for the kernel as written, stock clang -O3"));
  }
  found.push(card(String(timedCount(report)), `variants timed, of ${report.distinct} distinct ones of ${report.space}`));
  found.push(card(String(report.pareto), "on the Pareto set"));
  if (report.regret !== null && report.regret !== undefined)
    found.push(card(digits(report.regret, 4) + " ×", "time of the best of the Pareto set over the best of all"));
  if (wrong) found.push(card(String(wrong), "compute something else, and cannot win"));
  return make("div", { class: "cards" }, ...found);
}

function replay(report) {
  const choice = report.model_choice, lines = report.replay ?? choice?.replay;
  if (!lines) return choice?.as_written ? make("section", {}, make("h2", {}, "The model's choice"),
    make("p", {}, "The source as written; " + choice.why_as_written)) : null;
  const [title, name] = report.replay ? ["The best, again", report.winner] : ["The model's choice", choice.variant];
  return make("section", {}, make("h2", {}, title), make("p", { class: "text" }, name || "(as written, prepared)"),
    ...["clang", "opt", "llc", "header"].filter(each => lines[each]).map(each => make("pre", {}, lines[each])));
}

function heading(report) {
  const where = [report.gpu || report.device, report.size].filter(Boolean).join(", ");
  return make("header", {}, make("h1", {}, report.kernel), make("div", { class: "faint" }, `${report.source}, ${where}`),
    report.not_measured ? make("p", {}, "Not timed: " + report.not_measured) : null,
    report.budget_note ? make("p", {}, report.budget_note) : null,
    report.author_failure ? make("p", {}, report.author_failure) : null);
}

function show(report) {
  report.stock.isStock = true;
  report.best = report.winner === null ? null : report.variants.find(row => row.variant === report.winner) ?? null;
  let drawn = [];
  const table = new Table(report, () => drawn.forEach(each => each.redraw()));
  drawn = [plane(report, row => table.open(row)), times(report, row => table.open(row)), modelled(report, row => table.open(row))].filter(Boolean);
  return make("article", {}, heading(report), cards(report), drawn.length ? legend(report) : null,
    make("div", { class: "plots" }, ...drawn.map(each => each.figure)), replay(report), table.element);
}

/// A row for each of several reports; its button shows the report below.
function overview(choose) {
  const titles = [["kernel", true], ["as written"], ["best"], ["times as fast"], ["distinct variants"], ["timed"], ["the best", true]];
  const rows = reports.map((report, index) => make("tr", {},
    make("td", { class: "left" }, make("button", { onclick: () => choose(index) }, `${index + 1}: ${report.kernel}`),
      make("div", { class: "faint" }, report.source)),
    make("td", {}, milliseconds(report.stock.median_ms)), make("td", {}, milliseconds(report.winner_median_ms)),
    make("td", {}, report.speedup ? digits(report.speedup, 3) : ""), make("td", {}, String(report.distinct)), make("td", {}, String(timedCount(report))),
    make("td", { class: "text" }, report.winner === null ? report.not_measured ?? "" : report.winner || "(as written, prepared)")));
  return make("div", { class: "scroll" }, make("table", { class: "overview" }, make("thead", {}, make("tr", {},
    ...titles.map(([title, left]) => make("th", { class: left ? "left" : null, scope: "col" }, title)))), make("tbody", {}, ...rows)));
}

const page = document.getElementById("page"), place = make("div");
const choose = index => {
  place.replaceChildren(show(reports[index]));
  if (reports.length > 1) place.scrollIntoView({ block: "start" });
};
if (reports.length > 1) page.append(make("h1", {}, `${reports.length} kernels and launches`), overview(choose));
page.append(place, make("footer", { class: "faint" }, make("p", {},
  "Made by gpuprune. Plots: uPlot 1.6.32, copyright 2022 Leon Sorokin, MIT License; its text is in the source of this page.")));
document.title = [...new Set(reports.map(report => report.kernel))].join(", ") + " - gpuprune";
if (reports.length) place.append(show(reports[0]));
})();
