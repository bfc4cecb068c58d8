// Draws the charts of a report. The data stands in the page; nothing is fetched.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("chart-data").textContent);
  const root = document.documentElement;
  const HEIGHT = 200;
  const PRINTED = 224; // three of them side by side on A4 and on letter, in CSS pixels
  const PRINTED_HEIGHT = 120;
  const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [12, 5], [3, 6]];

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
  const whole = [seconds(0), Math.max(seconds(Math.max(0, ...ends)), seconds(0) + 1)];
  let shown = whole;
  let charts = [];
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

  // Their names, above the grid that is drawn after them.
  const drawNames = (u) => {
    const ctx = u.ctx;
    const { left, top, width } = u.bbox;
    ctx.save();
    ctx.font = 11 * devicePixelRatio + "px system-ui, sans-serif";
    ctx.textBaseline = "top";
    for (const mark of spot ? [...marks, spot] : marks) {
      const from = Math.max(u.valToPos(mark.from, "x", true), left);
      const to = Math.min(u.valToPos(mark.to, "x", true), left + width);
      if (ctx.measureText(mark.title).width + 6 < to - from) {
        ctx.fillStyle = colour(mark.kind);
        ctx.fillText(mark.title, from + 4 * devicePixelRatio, top + 3);
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
  const PATHS = {
    bars, steps: uPlot.paths.stepped({ align: 1 }), line: uPlot.paths.linear(),
    points: () => null, // the dots are drawn beside
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
    if (far(nearest) <= reach) return line.shape === "steps" && before >= 0 ? before : nearest;
    if (line.shape === "bars" || line.shape === "points") return -1;
    if (before < 0 || after >= line.t.length) return -1;
    return line.shape === "steps" ? before : nearest;
  };

  /** The highest value drawn in the span that is shown: lines come from points outside of it, too. */
  const highest = (chart, [from, to]) => {
    let most = 0;
    for (const line of chart.lines.filter((one) => !one.hidden)) {
      const runs = line.shape === "line" || line.shape === "steps";
      const first = Math.max(0, runs ? last(line, from) : last(line, from - 1e-3) + 1);
      const end = Math.min(line.t.length - 1, last(line, to) + (runs ? 1 : 0));
      for (let i = first; i <= end; i++) most = Math.max(most, line.v[i]);
    }
    return most > 0 ? most * 1.12 : 1;
  };

  const show = (range) => {
    shown = range;
    charts.forEach((u) => u.setScale("x", { min: range[0], max: range[1] }));
    document.querySelectorAll("button.window").forEach((b) =>
      b.setAttribute("aria-pressed", String(
        Math.abs(b.range[0] - range[0]) < 1e-6 && Math.abs(b.range[1] - range[1]) < 1e-6)));
  };

  const build = (chart, printing) => {
    const figure = document.getElementById(chart.id);
    const host = figure.querySelector(".plot");
    host.replaceChildren();
    const table = uPlot.join(chart.lines.map((line) => [line.t.map(seconds), line.v]));
    const rows = new Map(table[0].map((at, row) => [at, row]));
    const axis = () => colour("axis");
    const grid = { stroke: () => colour("grid"), width: 1 };
    const readout = figure.querySelector(".readout");
    const width = printing ? PRINTED : Math.max(280, host.clientWidth);
    const options = {
      width, height: printing ? PRINTED_HEIGHT : HEIGHT, padding: [6, 26, 0, 0], tzDate: zoneDate, legend: { show: false },
      cursor: { sync: { key: "time" }, y: false, drag: { x: true, y: false, setScale: false },
        points: { size: 7 },
        dataIdx: (u, series, closest, at) => {
          const line = chart.lines[series - 1];
          const point = line ? pointAt(u, line, at) : closest;
          return !line ? closest : point < 0 ? null : rows.get(seconds(line.t[point]));
        } },
      scales: { x: { time: true, range: () => shown }, y: { range: () => [0, highest(chart, shown)] } },
      axes: [
        { stroke: axis, grid, ticks: grid, size: 28, space: 72,
          values: (u, splits, ai, space, step) => splits.map((s) =>
            clock.format(new Date(s * 1e3)).slice(0, step < 60 ? 8 : 5)) },
        { stroke: axis, grid, ticks: grid, size: 84, space: 28,
          incrs: chart.unit.startsWith("bytes") ? POWERS : undefined,
          values: (u, splits) => splits.map((s) => format(chart.unit, s)) },
      ],
      series: [{}, ...chart.lines.map((line, i) => ({
        label: line.title, show: line.hidden !== true, stroke: () => colour("c" + (i % 7)),
        width: 1.5, dash: line.shape === "bars" || line.shape === "points" ? [] : DASHES[i % DASHES.length],
        paths: PATHS[line.shape], spanGaps: true,
        points: line.shape === "points" ? { show: true, size: 7 } : { show: line.t.length < 12 },
      }))],
      hooks: {
        drawClear: [drawMarks],
        drawAxes: [drawNames],
        draw: chart.id === "chart-heap" ? [drawPauses] : [],
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
    path.setAttribute("d", { bars: "M4 10V2M12 10V5M20 10V1M28 10V6", points: "M5 5h3M15 5h3M25 5h3" }[shape] || "M0 5H32");
    path.setAttribute("stroke-width", "3");
    path.setAttribute("stroke-dasharray", shape === "bars" || shape === "points" ? "none" : DASHES[i % DASHES.length].join(" ") || "none");
    path.style.stroke = "var(--c" + (i % 7) + ")";
    svg.append(path);
    return svg;
  };

  const controls = (chart, index) => {
    const figure = document.getElementById(chart.id);
    const traces = document.createElement("div");
    traces.className = "traces";
    chart.lines.forEach((line, i) => {
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
    if (chart.id === "chart-heap" && pauses) {
      const note = document.createElement("span");
      note.textContent = "ticks at the foot: pauses";
      note.className = "muted";
      traces.append(note);
    }
    const host = figure.querySelector(".plot");
    const readout = document.createElement("output");
    readout.className = "readout";
    host.after(readout, traces);
    host.tabIndex = 0;
    host.setAttribute("role", "group");
    host.setAttribute("aria-roledescription", "chart");
    host.setAttribute("aria-label", figure.querySelector("h3").textContent
      + " over time. Arrow keys move along it, plus and minus zoom, 0 shows everything.");
    host.addEventListener("keydown", (event) => key(event, charts[index]));
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
    const spans = [{ title: "everything", from: whole[0], to: whole[1] }, ...marks];
    for (const span of spans) {
      const button = document.createElement("button");
      const room = span.title === "everything" ? 0 : (span.to - span.from) * 0.1;
      button.type = "button";
      button.className = "window";
      button.textContent = span.title;
      button.range = [Math.max(whole[0], span.from - room), Math.min(whole[1], span.to + room)];
      button.setAttribute("aria-pressed", String(span.title === "everything"));
      button.addEventListener("click", () => show(button.range));
      bar.append(button);
    }
    bar.append(" or drag across a chart.");
  };

  const draw = (printing) => {
    charts.forEach((u) => u.destroy());
    charts = data.charts.map((chart) => build(chart, printing));
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
    const around = marks.find((mark) => place.from >= mark.from && place.to <= mark.to) || place;
    const room = Math.max(1, (around.to - around.from) * 0.1);
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
    spot = instant || around === place ? place : null;
    show([Math.max(whole[0], around.from - room), Math.min(whole[1], around.to + room)]);
    charts.forEach((u) => u.redraw());
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
