// Draws the charts of a report. The data stands in the page; nothing is fetched.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("chart-data").textContent);
  const root = document.documentElement;
  const HEIGHT = 200;
  const PRINTED = 224; // three of them side by side on A4 and on letter, in CSS pixels
  const PRINTED_HEIGHT = 120;
  // Seconds between times on paper, close enough that a chart of 110 pixels has one or two.
  const PRINTED_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 86400];
  const STRIP = 72;
  const NAMES = 16; // above a chart
  const AXIS = 28; // below it
  const STRIP_PRINTED = 320;
  const DASHED = ["line", "steps"]; // dashes distinguish these, too
  const BAR = 10; // the width of a bar of parts
  const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [12, 5], [3, 6]];

  // A file that the page makes itself.
  globalThis.gcdiag = { save: (name, content) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  } };

  const digits = (value, most = 3) =>
    Number(value.toPrecision(most)).toLocaleString("en-US", { maximumFractionDigits: 6 });
  const scaled = (value, steps) => {
    const [size, word] = steps.find(([s]) => Math.abs(value) >= s) || steps[steps.length - 1];
    return digits(value / size) + " " + word;
  };
  const bytes = (value) =>
    scaled(value, [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]]);
  const FORMAT = {
    ns: (v) => scaled(v, [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]]),
    bytes,
    "bytes/s": (v) => bytes(v) + "/s",
    ratio: (v) => digits(v * 100) + " %",
    "1/s": (v) => digits(v) + "/s",
    "1/min": (v) => digits(v) + "/min",
  };
  const format = (unit, value) =>
    value === 0 ? "0" : (FORMAT[unit] || ((v) => digits(v)))(value);

  const POWERS = Array.from({ length: 50 }, (_, i) => 2 ** i);

  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: data.zone === "Z" ? "UTC" : data.zone,
    hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 1,
  });
  const zoneDate = (seconds) =>
    uPlot.tzDate(new Date(seconds * 1e3), data.zone === "Z" ? "UTC" : data.zone);
  const seconds = (ms) => (data.start + ms) / 1e3;
  const colour = (name) => getComputedStyle(root).getPropertyValue("--" + name).trim();

  const marks = data.marks ? data.marks.map((m) => ({
    title: m.title, kind: { bad: "incident", good: "baseline" }[m.tone] || "window", from: seconds(m.from), to: seconds(m.to) })) : [];
  const ends = data.charts.flatMap((c) => c.lines.map((l) => l.t))
    .filter((t) => t.length).map((t) => t[t.length - 1]);
  data.charts.forEach((chart) => { chart.shape = chart.lines[0].shape; });
  const whole = [seconds(0), Math.max(seconds(Math.max(0, ...ends)), seconds(0) + 1)];
  const FOOT = 0.05; // beside the windows stays so much of their length
  const around = (from, to) => [Math.max(whole[0], from - (to - from) * FOOT), Math.min(whole[1], to + (to - from) * FOOT)];
  const compared = marks.length === 0 ? whole
    : around(Math.min(...marks.map((m) => m.from)), Math.max(...marks.map((m) => m.to)));
  let shown = compared;
  let charts = [];
  let strips = []; // the same charts in small, beside the answer
  let spot = null; // what the link that was followed last is about: seconds, and its words

  // Incident and baseline stand out by a tint, by lines at their ends and by their names.
  const drawMarks = (u) => {
    const ctx = u.ctx;
    const { left, top, width, height } = u.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    for (const mark of spot ? [...marks, spot] : marks) {
      const from = u.valToPos(mark.from, "x", true);
      const to = u.valToPos(mark.to, "x", true);
      ctx.fillStyle = ctx.strokeStyle = colour(mark.kind);
      ctx.globalAlpha = 0.1;
      ctx.fillRect(from, top, to - from, height);
      ctx.globalAlpha = 1;
      ctx.lineWidth = devicePixelRatio;
      if (mark.kind === "spot") ctx.lineWidth *= 2;
      ctx.setLineDash(mark.kind === "baseline" ? [4, 4] : []);
      for (const x of [from, to]) {
        ctx.beginPath();
        ctx.moveTo(x, top);
        ctx.lineTo(x, top + height);
        ctx.stroke();
      }
    }
    ctx.restore();
  };

  // Their names, above the chart: on no line.
  const drawNames = (u) => {
    const ctx = u.ctx;
    const { left, top, width } = u.bbox;
    ctx.save();
    ctx.font = 11 * devicePixelRatio + "px system-ui, sans-serif";
    ctx.textBaseline = "bottom";
    ctx.textAlign = "left";
    let end = -Infinity; // of the name before
    for (const mark of [...marks].sort((a, b) => a.from - b.from)) {
      const from = Math.max(u.valToPos(mark.from, "x", true), left);
      const room = ctx.measureText(mark.title).width;
      const at = Math.min(from, left + width - room);
      if (u.valToPos(mark.to, "x", true) > left && from < left + width && at > end) {
        ctx.fillStyle = colour(mark.kind);
        ctx.fillText(mark.title, at, top - 2 * devicePixelRatio);
        end = at + room + 8 * devicePixelRatio;
      }
    }
    ctx.restore();
  };

  // Pauses as ticks at the foot of the heap's chart, as tall as they are long.
  const pauses = (data.charts.find((c) => c.id === "chart-pauses") || { lines: [] }).lines[0];
  const drawPauses = (u) => {
    if (!pauses) return;
    const ctx = u.ctx;
    const { top, height } = u.bbox;
    const longest = Math.max(...pauses.v);
    ctx.save();
    ctx.strokeStyle = colour("quiet");
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    pauses.t.forEach((t, i) => {
      const at = seconds(t);
      if (at < u.scales.x.min || at > u.scales.x.max) return;
      const x = u.valToPos(at, "x", true);
      ctx.moveTo(x, top + height);
      ctx.lineTo(x, top + height - Math.max(2, (height / 4) * (pauses.v[i] / longest)));
    });
    ctx.stroke();
    ctx.restore();
  };

  const bars = (u, series, from, to) => {
    const stroke = new Path2D();
    const scale = u.series[series].scale;
    const foot = u.valToPos(0, scale, true);
    for (let i = from; i <= to; i++) {
      const value = u.data[series][i];
      if (value != null) {
        const x = u.valToPos(u.data[0][i], "x", true);
        stroke.moveTo(x, foot);
        stroke.lineTo(x, Math.min(foot - 1, u.valToPos(value, scale, true)));
      }
    }
    return { stroke, fill: null };
  };
  // Parts of a bar on top of each other, at each instant of the first line.
  const drawStacks = (chart) => (u) => {
    const ctx = u.ctx;
    const { left, top, width, height } = u.bbox;
    const wide = Math.max(2, Math.min(BAR * devicePixelRatio, width / chart.lines[0].t.length / 2));
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    chart.lines[0].t.forEach((t, column) => {
      let sum = 0;
      chart.lines.forEach((line, i) => {
        if (line.hidden || !line.v[column]) return;
        const foot = u.valToPos(sum, "y", true);
        sum += line.v[column];
        const head = u.valToPos(sum, "y", true);
        ctx.fillStyle = colour("c" + (i % 7));
        ctx.fillRect(u.valToPos(seconds(t), "x", true) - wide / 2, head, wide, foot - head);
      });
    });
    ctx.restore();
  };

  // A row of cells for each line, the darker the more; the root makes few visible beside many.
  const drawCells = (chart) => (u) => {
    const ctx = u.ctx;
    const { left, top, width, height } = u.bbox;
    const most = Math.max(...chart.lines.flatMap((line) => line.v));
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.fillStyle = colour("c0");
    chart.lines.forEach((line, row) => {
      const foot = u.valToPos(row, "y", true);
      const head = u.valToPos(row + 1, "y", true);
      line.t.forEach((t, i) => {
        if (!line.v[i]) return;
        const next = i + 1 < line.t.length ? line.t[i + 1] : 2 * t - line.t[i - 1];
        const from = u.valToPos(seconds(t), "x", true);
        ctx.globalAlpha = 0.08 + 0.92 * Math.sqrt(line.v[i] / most);
        ctx.fillRect(from, head + 1, Math.max(1, u.valToPos(seconds(next), "x", true) - from), foot - head - 1);
      });
    });
    ctx.restore();
  };

  const PATHS = {
    bars, steps: uPlot.paths.stepped({ align: 1 }), line: uPlot.paths.linear(),
    stacked: () => null, cells: () => null, // drawn beside
  };

  const NEAR = 6; // pixels around a bar or dot that count as on it

  /** The last point at or before that time; -1 before the first. */
  const last = (line, at) => {
    const ms = at * 1e3 - data.start;
    let low = 0;
    let high = line.t.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (line.t[middle] <= ms) low = middle + 1; else high = middle;
    }
    return low - 1;
  };

  /** The point of a line that stands at that time; -1 where nothing does. */
  const pointAt = (u, line, at) => {
    const before = last(line, at);
    const after = before + 1;
    const reach = u.posToVal(NEAR, "x") - u.posToVal(0, "x");
    const far = (i) => (i < 0 || i >= line.t.length ? Infinity : Math.abs(seconds(line.t[i]) - at));
    const nearest = far(before) <= far(after) ? before : after;
    if (line.shape === "cells") return before >= 0 && line.v[before] ? before : -1;
    if (far(nearest) <= reach) return line.shape === "steps" && before >= 0 ? before : nearest;
    if (line.shape === "bars" || line.shape === "stacked") return -1;
    if (before < 0 || after >= line.t.length) return -1;
    return line.shape === "steps" ? before : nearest;
  };

  /** The highest value drawn in the span that is shown: lines come from points outside of it, too. */
  const highest = (chart, [from, to]) => {
    let most = 0;
    if (chart.shape === "cells") return chart.lines.length;
    const lines = chart.lines.filter((one) => !one.hidden);
    if (chart.shape === "stacked") {
      for (const [i, t] of chart.lines[0].t.entries()) {
        if (seconds(t) < from || seconds(t) > to) continue;
        most = Math.max(most, lines.reduce((sum, line) => sum + line.v[i], 0));
      }
    } else for (const line of lines) {
      const runs = line.shape === "line" || line.shape === "steps";
      const first = Math.max(0, runs ? last(line, from) : last(line, from - 1e-3) + 1);
      const end = Math.min(line.t.length - 1, last(line, to) + (runs ? 1 : 0));
      for (let i = first; i <= end; i++) most = Math.max(most, line.v[i]);
    }
    return most > 0 ? most * 1.12 : 1;
  };

  const show = (range) => {
    shown = range;
    [...strips, ...charts].forEach((u) => u.setScale("x", { min: range[0], max: range[1] }));
    document.querySelectorAll("button.window").forEach((b) =>
      b.setAttribute("aria-pressed", String(
        Math.abs(b.range[0] - range[0]) < 1e-6 && Math.abs(b.range[1] - range[1]) < 1e-6)));
  };

  const build = (chart, figure, printing) => {
    const host = figure.querySelector(".plot");
    const small = figure.classList.contains("strip");
    // Small charts share the names above the first one and the axis below the last one.
    const first = !small || !figure.previousElementSibling?.classList.contains("strip");
    const last = !small || !figure.nextElementSibling.classList.contains("strip");
    host.replaceChildren();
    const table = uPlot.join(chart.lines.map((line) => [line.t.map(seconds), line.v]));
    const rows = new Map(table[0].map((at, row) => [at, row]));
    const axis = () => colour("axis");
    const grid = { stroke: () => colour("grid"), width: 1 };
    const readout = figure.querySelector(".readout");
    // On paper the names of rows need 14 pixels each.
    const named = printing ? Math.ceil(14 * chart.lines.length / (PRINTED_HEIGHT - NAMES - AXIS)) : 1;
    const options = {
      width: printing ? (small ? STRIP_PRINTED : PRINTED) : Math.max(280, host.clientWidth),
      height: small ? STRIP + (first ? NAMES : 0) + (last ? AXIS : 0) : printing ? PRINTED_HEIGHT : HEIGHT,
      padding: [first ? NAMES : 4, 26, 0, 0], tzDate: zoneDate, legend: { show: false },
      cursor: { sync: { key: "time" }, y: false, drag: { x: true, y: false, setScale: false },
        points: { size: 7, show: chart.shape !== "cells" && chart.shape !== "stacked" && undefined },
        dataIdx: (u, series, closest, at) => {
          const line = chart.lines[series - 1];
          const point = line ? pointAt(u, line, at) : closest;
          return !line ? closest : point < 0 ? null : rows.get(seconds(line.t[point]));
        } },
      scales: { x: { time: true, range: () => shown }, y: { range: () => [0, highest(chart, shown)] } },
      axes: [
        { stroke: axis, grid, ticks: grid, size: last ? AXIS : 4,
          space: printing ? 56 : 72, incrs: printing ? PRINTED_STEPS : undefined,
          values: (u, splits, ai, space, step) => !last ? [] : splits.map((s) =>
            clock.format(new Date(s * 1e3)).slice(0, step < 60 ? 8 : 5)) },
        { stroke: axis, grid, ticks: grid, size: 84, space: 28,
          incrs: chart.unit.startsWith("bytes") ? POWERS : undefined,
          ...(chart.shape === "cells" ? {
            size: 104, font: "11px system-ui, sans-serif", grid: { show: false }, ticks: { show: false },
            splits: () => chart.lines.map((line, row) => row + 0.5),
            values: () => chart.lines.map((line, row) => row % named ? "" : line.title),
          } : { values: (u, splits) => splits.map((s) => format(chart.unit, s)) }) },
      ],
      series: [{}, ...chart.lines.map((line, i) => ({
        label: line.title, show: line.hidden !== true, stroke: () => colour("c" + (i % 7)),
        width: 1.5, dash: DASHED.includes(line.shape) ? DASHES[i % DASHES.length] : [],
        paths: PATHS[line.shape], spanGaps: true,
        points: { show: DASHED.includes(line.shape) && line.t.length < 12 },
      }))],
      hooks: {
        drawClear: [drawMarks],
        drawAxes: first ? [drawNames] : [],
        draw: chart.id === "chart-heap" ? [drawPauses]
          : chart.shape === "stacked" ? [drawStacks(chart)] : chart.shape === "cells" ? [drawCells(chart)] : [],
        setSelect: [(u) => {
          if (u.select.width > 4) {
            show([u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")]);
          }
          u.setSelect({ width: 0, height: 0 }, false);
        }],
        setCursor: [(u) => {
          if (u.cursor.left < 0 || u.cursor.left == null) { readout.textContent = ""; return; }
          const at = u.posToVal(u.cursor.left, "x");
          const there = chart.lines
            .map((line) => [line, line.hidden ? -1 : pointAt(u, line, at)])
            .filter(([, point]) => point >= 0)
            .map(([line, point]) => line.title + " " + format(chart.unit, line.v[point]));
          readout.textContent = clock.format(new Date(at * 1e3)) + "  "
            + (there.join(", ") || "nothing recorded at this time");
        }],
      },
    };
    const u = new uPlot(options, table, host);
    u.root.querySelectorAll("canvas").forEach((c) => c.setAttribute("aria-hidden", "true"));
    return u;
  };

  const swatch = (i, shape) => {
    const ns = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(ns, "svg");
    svg.setAttribute("viewBox", "0 0 32 10");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(ns, "path");
    path.setAttribute("d", { bars: "M4 10V2M12 10V5M20 10V1M28 10V6", stacked: "M6 5H26" }[shape] || "M0 5H32");
    path.setAttribute("stroke-width", shape === "stacked" ? "10" : "3");
    path.setAttribute("stroke-dasharray", DASHED.includes(shape) && DASHES[i % DASHES.length].join(" ") || "none");
    path.style.stroke = "var(--c" + (i % 7) + ")";
    svg.append(path);
    return svg;
  };

  const controls = (chart, index) => {
    const figure = figureOf(chart);
    const traces = document.createElement("div");
    traces.className = "traces";
    (chart.shape === "cells" ? [] : chart.lines).forEach((line, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "trace";
      button.setAttribute("aria-pressed", "true");
      button.append(swatch(i, line.shape), line.title);
      button.addEventListener("click", () => {
        line.hidden = !line.hidden;
        button.setAttribute("aria-pressed", String(!line.hidden));
        charts[index].setSeries(i + 1, { show: !line.hidden });
      });
      traces.append(button);
    });
    const words = chart.shape === "cells" ? "stronger: more requests"
      : chart.id === "chart-heap" && pauses ? "ticks at the foot: pauses" : "";
    if (words) {
      const note = document.createElement("span");
      note.textContent = words;
      note.className = "muted";
      traces.append(note);
    }
    const host = figure.querySelector(".plot");
    const save = document.createElement("button");
    save.type = "button";
    save.className = "export";
    save.textContent = "CSV";
    save.setAttribute("aria-label", title(chart) + " as CSV");
    save.addEventListener("click", () => gcdiag.save(chart.id + ".csv", csv(chart)));
    traces.append(save);
    host.after(readout(), traces);
    reachable(host, title(chart), () => charts[index]);
  };

  // A row for each time, a column for each line; where a line has no value the cell is empty.
  const csv = (chart) => {
    const quoted = (text) => '"' + text.replaceAll('"', '""') + '"';
    const [times, ...columns] = uPlot.join(chart.lines.map((line) => [line.t, line.v]));
    const head = ["time", ...chart.lines.map((line) => line.title + " (" + chart.unit + ")")].map(quoted);
    return [head, ...times.map((t, i) =>
      [new Date(data.start + t).toISOString(), ...columns.map((column) => column[i] ?? "")])]
      .map((row) => row.join(",") + "\n").join("");
  };

  const figureOf = (chart) => document.getElementById(chart.id);
  const title = (chart) => figureOf(chart).querySelector("h3").textContent;
  const readout = () => {
    const output = document.createElement("output");
    output.className = "readout";
    return output;
  };
  const reachable = (host, name, chart) => {
    host.tabIndex = 0;
    host.setAttribute("role", "group");
    host.setAttribute("aria-roledescription", "chart");
    host.setAttribute("aria-label", name
      + " over time. Arrow keys move along it, plus and minus zoom, 0 shows everything.");
    host.addEventListener("keydown", (event) => key(event, chart()));
  };

  // A chart in small: its name and its lines above it.
  const strip = (figure, index) => {
    const chart = chartOf(figure);
    const head = document.createElement("p");
    const name = document.createElement("b");
    const host = document.createElement("div");
    head.className = "strip";
    host.className = "plot";
    name.textContent = title(chart);
    head.append(name, ...chart.lines.map((line, i) => {
      const legend = document.createElement("span");
      legend.className = "trace";
      legend.append(swatch(i, line.shape), line.title);
      return legend;
    }), readout());
    figure.append(head, host);
    reachable(host, title(chart) + ", in small,", () => strips[index]);
  };

  const key = (event, u) => {
    const width = u.over.clientWidth;
    const left = u.cursor.left == null || u.cursor.left < 0 ? width / 2 : u.cursor.left;
    const step = width / (event.shiftKey ? 10 : 100);
    const move = (x) => u.setCursor({ left: Math.min(width - 1, Math.max(0, x)), top: 5 });
    const zoom = (factor) => {
      const at = u.posToVal(left, "x");
      const from = Math.max(whole[0], at - (at - shown[0]) * factor);
      const to = Math.min(whole[1], at + (shown[1] - at) * factor);
      show([from, to]);
      move(u.valToPos(at, "x"));
    };
    const actions = {
      ArrowLeft: () => move(left - step), ArrowRight: () => move(left + step),
      "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: () => show(whole),
    };
    if (actions[event.key] && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      actions[event.key]();
    }
  };

  const zoomButtons = () => {
    const bar = document.getElementById("zoom");
    if (!bar) return;
    bar.append("Show ");
    const spans = [["everything", whole], ...marks.map((m) => [m.title, around(m.from, m.to)])];
    if (marks.length > 1) spans.unshift([marks.map((m) => m.title).join(" and "), compared]);
    if (data.closeUp) spans.push([data.closeUp.title, around(seconds(data.closeUp.from), seconds(data.closeUp.to))]);
    // Of two that show the same the first is enough.
    const ends = ([, range]) => range.map((end) => end.toFixed(3)).join();
    for (const [words, range] of spans.filter((one, i) => spans.findIndex((o) => ends(o) === ends(one)) === i)) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "window";
      button.textContent = words;
      button.range = range;
      button.addEventListener("click", () => show(range));
      bar.append(button);
    }
    bar.append(" or drag across a chart.");
    show(shown);
  };

  const small = [...document.querySelectorAll("div.strip")];
  const chartOf = (figure) => data.charts.find((chart) => chart.id === figure.dataset.chart);
  const draw = (printing) => {
    [...strips, ...charts].forEach((u) => u.destroy());
    charts = data.charts.map((chart) => build(chart, figureOf(chart), printing));
    strips = small.map((figure) => build(chartOf(figure), figure, printing));
  };

  // A link to a place inside of something folded opens it.
  const unfold = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return;
    for (let node = target; node; node = node.parentElement) {
      if (node.tagName === "DETAILS") node.open = true;
    }
    target.scrollIntoView();
    if (target.tagName === "FIGURE") target.focus({ preventScroll: true });
  };

  // A link to a chart goes to its figure's place in it: an instant, the highest value of a window,
  // or the window itself. It stays marked in all charts until the next link is followed.
  const point = (link) => {
    const index = data.charts.findIndex((chart) => "#" + chart.id === link.getAttribute("href"));
    if (index < 0 || !link.dataset.from) return;
    const place = { title: "", kind: "spot",
      from: Number(link.dataset.from) / 1e3, to: Number(link.dataset.to) / 1e3 };
    const within = marks.find((mark) => place.from >= mark.from && place.to <= mark.to) || place;
    const line = data.charts[index].lines[Number(link.dataset.line || 0)];
    let at = place.from;
    if (link.dataset.peak) {
      let best = -1;
      line.t.forEach((t, i) => {
        const inside = seconds(t) >= place.from && seconds(t) < place.to;
        if (inside && (best < 0 || line.v[i] > line.v[best])) best = i;
      });
      if (best >= 0) place.from = place.to = at = seconds(line.t[best]);
    }
    const instant = place.to - place.from < 1e-3;
    spot = instant || within === place ? place : null;
    show(around(within.from, Math.max(within.to, within.from + 1)));
    [...strips, ...charts].forEach((u) => u.redraw());
    const u = charts[index];
    if (instant) {
      // The new scale is in force when uPlot has drawn it.
      setTimeout(() => u.setCursor({ left: u.valToPos(at, "x"), top: 5 }), 0);
    } else {
      u.setCursor({ left: -10, top: -10 });
      document.getElementById(data.charts[index].id).querySelector(".readout").textContent =
        "From " + clock.format(new Date(place.from * 1e3)) + " to "
        + clock.format(new Date(place.to * 1e3));
    }
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href^='#chart-']");
    if (link) setTimeout(() => point(link), 0);
  });

  data.charts.forEach(controls);
  small.forEach(strip);
  zoomButtons();
  draw(false);
  addEventListener("hashchange", unfold);
  unfold();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(false));
  let pending;
  addEventListener("resize", () => {
    clearTimeout(pending);
    pending = setTimeout(() => draw(false), 150);
  });
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")]
      .filter((details) => !details.closest("figcaption, tr.more"));
    folded.forEach((details) => { details.open = true; });
    root.classList.add("printing");
    draw(true);
  });
  addEventListener("afterprint", () => {
    folded.forEach((details) => { details.open = false; });
    root.classList.remove("printing");
    draw(false);
  });
})();
