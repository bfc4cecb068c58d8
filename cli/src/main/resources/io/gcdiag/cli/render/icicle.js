// Draws stacks as icicles: callers above what they call, each as wide as its share.
"use strict";
(() => {
  const report = JSON.parse(document.getElementById("report-json").textContent);
  const ROW = 20; // pixels
  const GREW = 0.05; // as much more of the whole than before has a sign
  const STRONGEST = 0.25; // so much more or less has the full colour

  const percent = (share) => share === 0 ? "none"
    : share < 0.0005 ? "less than 0.1 %" : (share * 100).toFixed(1) + " %";

  // Class and method without the package; an allocated class stays as it is.
  const short = (name) => {
    const [frame, ...note] = name.split(" ");
    const parts = frame.split(".");
    const from = parts.findIndex((part) => /^[A-Z]/.test(part));
    return [from > 0 ? parts.slice(from).join(".") : frame, ...note].join(" ");
  };

  const told = (node) => node.name + ", " + percent(node.share)
    + (node.before == null ? "" : " (before: " + percent(node.before) + ")");

  const tree = (stacks) => {
    const nodes = stacks.frames.map((frame, i) => ({
      name: frame + (stacks.merged[i] ? " (and " + stacks.merged[i] + " below)" : ""),
      share: stacks.incident[i], before: stacks.baseline[i],
      own: stacks.own[i], children: [],
    }));
    const root = { name: "all", share: 1, before: 1, children: [], level: -1, parent: null };
    nodes.forEach((node, i) => {
      node.parent = stacks.parents[i] < 0 ? root : nodes[stacks.parents[i]];
      node.level = node.parent.level + 1;
      node.parent.children.push(node);
    });
    return { root, nodes };
  };

  // Callers stand before what they call: each frame begins where the one before it ends.
  const lay = (root, nodes, width) => {
    for (const node of [root, ...nodes]) {
      node.width = width(node);
      node.filled = 0;
      node.from = node.parent ? node.parent.from + node.parent.filled : 0;
      if (node.parent) node.parent.filled += node.width;
    }
  };

  // What of a frame is in no frame drawn below it, and its callers, outermost first.
  const samples = (nodes, total) => nodes.map((node) => {
    const callers = [];
    for (let at = node; at.parent; at = at.parent) callers.unshift(at.name);
    const below = node.children.reduce((sum, child) => sum + child.share, 0);
    return [callers, Math.round((node.share - below) * total)];
  }).filter(([, value]) => value > 0);

  const collapsed = (all) => all.map(([callers, value]) =>
    callers.map((name) => name.replaceAll(";", ",")).join(";") + " " + value + "\n").join("");

  // The Profile message of pprof's profile.proto, by the numbers of its fields.
  const pprof = (all, [type, unit]) => {
    const varint = (value) => {
      const bytes = [];
      for (let rest = BigInt(value); ; rest >>= 7n) {
        if (rest < 128n) return [...bytes, Number(rest)];
        bytes.push(Number(rest & 127n) | 128);
      }
    };
    const number = (field, value) => [field << 3, ...varint(value)];
    const part = (field, bytes) => [(field << 3) | 2, ...varint(bytes.length), ...bytes];
    const texts = new Map([["", 0]]);
    const text = (one) => texts.get(one) ?? texts.set(one, texts.size).get(one);
    const places = new Map();
    const place = (name) => places.get(name) ?? places.set(name, places.size + 1).get(name);
    const out = [part(1, [...number(1, text(type)), ...number(2, text(unit))])];
    for (const [callers, value] of all) {
      const stack = callers.toReversed().map(place).flatMap(varint);
      out.push(part(2, [...part(1, stack), ...part(2, varint(value))]));
    }
    for (const [name, id] of places) {
      out.push(part(4, [...number(1, id), ...part(4, number(1, id))]));
      out.push(part(5, [...number(1, id), ...number(2, text(name))]));
    }
    for (const one of texts.keys()) out.push(part(6, [...new TextEncoder().encode(one)]));
    return new Uint8Array(out.flat());
  };
  const UNITS = { samples: ["samples", "count"], bytes: ["alloc_space", "bytes"], ns: ["wait", "nanoseconds"] };

  const draw = (figure) => {
    const stacks = report[figure.dataset.json].stacks;
    const host = figure.querySelector(".icicle");
    const { root, nodes } = tree(stacks);
    const bar = document.createElement("p");
    const label = document.createElement("label");
    const search = document.createElement("input");
    const whole = document.createElement("button");
    const readout = document.createElement("output");
    const rows = document.createElement("div");
    bar.className = "tools";
    search.type = "search";
    label.append("Find ", search);
    whole.type = "button";
    whole.textContent = "Show all";
    whole.hidden = true;
    bar.append(label, " ", whole);
    const button = (words, act) => {
      const one = document.createElement("button");
      one.type = "button";
      one.textContent = words;
      one.addEventListener("click", () => act(one));
      bar.append(one);
    };
    if (nodes.some((node) => node.before != null)) {
      button("Widths of the baseline", (one) => {
        const before = one.getAttribute("aria-pressed") !== "true";
        one.setAttribute("aria-pressed", String(before));
        lay(root, nodes, (node) => (before ? node.before || 0 : node.share));
        widen(root);
      });
    }
    bar.append(" Save as ");
    const all = samples(nodes, stacks.total);
    button("Collapsed stacks", () => gcdiag.save(figure.id + ".collapsed", collapsed(all)));
    button("pprof", () => gcdiag.save(figure.id + ".pb", pprof(all, UNITS[stacks.unit])));
    lay(root, nodes, (node) => node.share);
    readout.className = "readout";
    rows.className = "rows";
    rows.setAttribute("role", "tree");
    rows.setAttribute("aria-label", figure.querySelector("h3").textContent
      + ". Arrow keys move, Enter widens a frame, Escape shows all.");
    rows.style.height = (Math.max(...nodes.map((n) => n.level)) + 1) * ROW + "px";
    host.append(bar, rows, readout);

    const suspect = nodes[figure.dataset.open]; // where the report says it is; none if not given
    let shown = root;
    let current = suspect || nodes[0];

    const place = () => {
      const to = shown.from + shown.width;
      for (const node of nodes) {
        const from = Math.max(node.from, shown.from);
        const end = Math.min(node.from + node.width, to);
        const inside = node.level <= shown.level
          ? node.from <= shown.from + 1e-9 && node.from + node.width >= to - 1e-9
          : end - from > 1e-9 && node.from >= shown.from - 1e-9;
        node.element.hidden = !inside;
        if (inside) {
          node.element.style.left = ((from - shown.from) / shown.width) * 100 + "%";
          node.element.style.width = ((end - from) / shown.width) * 100 + "%";
        }
      }
      whole.hidden = shown === root;
    };

    const go = (node, focus) => {
      if (!node || node === root) return;
      current.element.tabIndex = -1;
      current = node;
      node.element.tabIndex = 0;
      readout.textContent = told(node);
      if (focus) node.element.focus();
    };

    const widen = (node) => {
      shown = node;
      place();
      if (current.element.hidden) go(node === root ? nodes[0] : node, false);
    };

    const beside = (step) => {
      const row = nodes.filter((n) => n.level === current.level && !n.element.hidden)
        .sort((a, b) => a.from - b.from);
      return row[row.indexOf(current) + step];
    };

    const KEYS = {
      ArrowDown: () => go(current.children.find((n) => !n.element.hidden), true),
      ArrowUp: () => go(current.parent, true),
      ArrowLeft: () => go(beside(-1), true),
      ArrowRight: () => go(beside(1), true),
      Home: () => go(nodes[0], true),
      Enter: () => widen(current),
      " ": () => widen(current),
      Escape: () => widen(root),
    };

    for (const node of nodes) {
      const element = document.createElement("div");
      const change = node.before == null ? 0 : node.share - node.before;
      const sign = change >= GREW ? "\u25b2 " : change <= -GREW ? "\u25bc " : "";
      element.setAttribute("role", "treeitem");
      element.setAttribute("aria-level", String(node.level + 1));
      element.setAttribute("aria-label", told(node));
      element.className = "frame" + (node.own ? " own" : "")
        + (node === suspect ? " suspect" : "");
      if (Math.abs(change) >= 0.01) {
        element.style.background = "color-mix(in srgb, var(--" + (change > 0 ? "grew" : "fell") + ") "
          + Math.min(100, Math.round((Math.abs(change) / STRONGEST) * 100)) + "%, var(--"
          + (node.own ? "own" : "frame") + "))";
      }
      element.tabIndex = -1;
      element.title = told(node);
      element.textContent = sign + short(node.name);
      element.style.top = node.level * ROW + "px";
      element.addEventListener("click", () => { go(node, true); widen(node === shown ? root : node); });
      element.addEventListener("focus", () => go(node, false));
      element.addEventListener("mouseenter", () => { readout.textContent = told(node); });
      node.element = element;
      rows.append(element);
    }
    rows.addEventListener("keydown", (event) => {
      if (KEYS[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        KEYS[event.key]();
      }
    });
    whole.addEventListener("click", () => widen(root));
    search.addEventListener("input", () => {
      const wanted = search.value.trim().toLowerCase();
      let sum = 0;
      for (const node of nodes) {
        const found = wanted !== "" && node.name.toLowerCase().includes(wanted);
        node.element.classList.toggle("found", found);
        // What is found below something found is in its share already.
        node.counted = found || Boolean(node.parent && node.parent.counted);
        if (found && !(node.parent && node.parent.counted)) sum += node.share;
      }
      readout.textContent = wanted === "" ? "" : percent(sum) + " in or below '" + search.value.trim() + "'";
    });
    current.element.tabIndex = 0;
    if (suspect) {
      // Who calls it stays above, as wide as it; what it calls gets all the room.
      shown = suspect;
      readout.textContent = told(suspect);
    }
    place();
  };

  document.querySelectorAll("figure.stacks").forEach(draw);
})();
