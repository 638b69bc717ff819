/* The section that lets a reader choose engines, phase, metric and baseline. */
function explore(data) {
  "use strict";
  var section = document.getElementById("explorer");
  var engines = data.engines.map(function (engine) { return engine.name; });
  var SVG = new DOMParser().parseFromString("<svg></svg>", "text/html").body.firstChild.namespaceURI;

  /* Those with a value anywhere. */
  var measured = engines.filter(function (engine, i) {
    return data.groups.some(function (group) {
      return group.rankings.some(function (ranking) {
        return ranking.rows.some(function (row) { return row[0] === i; });
      });
    });
  });

  function scales(text) {
    return text.split(" ").map(function (part) {
      var pair = part.split("=");
      return { suffix: pair[0], factor: Number(pair[1]) };
    });
  }

  /* As kvrank.report.block.Quantities: three digits and a unit. */
  var units = {
    PER_SECOND: scales("/s=1 k/s=1e3 M/s=1e6"),
    NANOSECONDS: scales("ns=1 µs=1e3 ms=1e6 s=1e9"),
    SECONDS: scales("ns=1e-9 µs=1e-6 ms=1e-3 s=1"),
    BYTES: scales("B=1 KiB=1024 MiB=1048576 GiB=1073741824 TiB=1099511627776")
  };

  function ratio(value) {
    var decimals = value < 0.0995 ? 3 : value < 1.095 ? 2 : value < 9.95 ? 1 : 0;
    return (value > 0 && value < 0.0005 ? "<0.001" : value.toFixed(decimals)) + "x";
  }

  function quantity(unit, value) {
    if (value === null || !isFinite(value)) {
      return "-";
    }
    if (unit === "FACTOR") {
      return ratio(value);
    }
    if (unit === "PERCENT") {
      return value > 0 && value < 0.01 ? "<0.01 %" : value > 99.9 && value < 100 ? ">99.9 %"
        : value.toFixed(value % 100 === 0 ? 0 : value < 0.995 ? 2 : 1) + " %";
    }
    if (!units[unit]) {
      return value.toFixed(2);
    }
    var rounded = Math.abs(Number(value.toPrecision(3)));
    var scale = units[unit].filter(function (each, i) { return i === 0 || rounded >= each.factor; }).pop();
    var shown = Math.abs(Number((value / scale.factor).toPrecision(3)));
    var whole = shown === 0 || shown >= 100 || (scale.suffix === "B" && shown === Math.round(shown));
    var decimals = whole ? 0 : shown >= 10 || unit === "BYTES" ? 1 : 2;
    return (value / scale.factor).toFixed(decimals) + " " + scale.suffix;
  }

  function tick(unit, value) {
    return value === 0 ? "0"
      : quantity(unit, value).replace(/(\.[0-9]*?)0+(?=[ x])/, "$1").replace(/\.(?=[ x])/, "");
  }

  function interval(unit, low, high) {
    return low === null || high === null || !(low < high) ? "" : quantity(unit, low) + "–" + quantity(unit, high);
  }

  /* Elements: el("p", {class: "x"}, "text", child …) */
  function fill(element, attributes, parts) {
    Object.keys(attributes || {}).forEach(function (name) {
      if (attributes[name] !== null) {
        element.setAttribute(name, attributes[name]);
      }
    });
    parts.forEach(function (part) { element.append(part); });
    return element;
  }

  function el(tag, attributes) {
    return fill(document.createElement(tag), attributes, Array.prototype.slice.call(arguments, 2));
  }

  function svg(tag, attributes) {
    return fill(document.createElementNS(SVG, tag), attributes, Array.prototype.slice.call(arguments, 2));
  }

  function distinct(values) {
    return Array.from(new Set(values));
  }

  /* The choice, by names, so that a link survives a new report. */
  var choice = { phase: "", at: "", metric: "", to: "", hide: [], met: false };

  function groupsOf(phase) {
    return data.groups.filter(function (group) { return group.phase === phase; });
  }

  function group() {
    var groups = groupsOf(choice.phase);
    return groups.filter(function (each) { return each.point === choice.at; })[0] || groups[0];
  }

  function name(ranking) {
    return (ranking.operation ? ranking.operation + " " : "") + data.metrics[ranking.metric].title;
  }

  function ranking() {
    var rankings = group().rankings;
    return rankings.filter(function (each) { return name(each) === choice.metric; })[0] || rankings[0];
  }

  function requirements(engine) {
    return (data.requirements && data.requirements[engine]) || { verdict: "", fails: false, failed: [] };
  }

  /* The number of a pair of rows in "pairs". */
  function pair(ranking, i, j) {
    var n = ranking.rows.length;
    var a = Math.min(i, j);
    return ranking.pairs[a * n - a * (a + 1) / 2 + Math.max(i, j) - a - 1];
  }

  /* Whether each engine may have any rank. */
  function undecided(ranking) {
    var n = ranking.rows.length;
    return n > 1 && ranking.rows.every(function (row) { return row[4].replace("?", "") === "1–" + n; });
  }

  /* The rows to show; relative to the baseline if there is one with a value above 0. */
  function rows(ranking) {
    var to = ranking.rows.findIndex(function (row) { return engines[row[0]] === choice.to && row[1] > 0; });
    return ranking.rows.map(function (row, i) {
      var reach = to < 0 || i === to ? 0 : pair(ranking, i, to);
      var factor = to < 0 ? null : row[1] / ranking.rows[to][1];
      return {
        engine: row[0], name: engines[row[0]], value: row[1], low: row[2], high: row[3], rank: row[4],
        factor: factor,
        factorLow: reach ? factor / Math.abs(reach) : null,
        factorHigh: reach ? factor * Math.abs(reach) : null,
        open: to >= 0 && i !== to && reach >= 0,
        untested: reach === 0
      };
    }).filter(function (row) {
      return choice.hide.indexOf(row.name) < 0 && !(choice.met && requirements(row.engine).fails);
    });
  }

  /* An axis over a width of 1: linear from 0, or logarithmic if the values are far apart. */
  function axis(measures, log, unit) {
    var values = measures.map(function (each) { return each.value; }).filter(function (v) { return v > 0; });
    var low = Math.min.apply(null, values);
    var high = Math.max.apply(null, values);
    measures.forEach(function (each) {
      if (each.low !== null) {
        low = Math.min(low, Math.max(each.low, low / 1.5));
        high = Math.max(high, Math.min(each.high, high * 1.5));
      }
    });
    var ticks = [];
    if (log) {
      low /= 1.1;
      high *= 1.1;
      var decades = Math.log10(high / low);
      var digits = decades < 0.8 ? [1, 1.5, 2, 3, 5, 7] : decades < 2.2 ? [1, 2, 5] : [1];
      var every = Math.max(1, Math.ceil(decades / 5));
      for (var power = Math.floor(Math.log10(low)); Math.pow(10, power) <= high; power++) {
        digits.forEach(function (digit) {
          var at = digit * Math.pow(10, power);
          if (power % every === 0 && at >= low && at <= high) {
            ticks.push(at);
          }
        });
      }
    } else {
      low = 0;
      var base = unit === "BYTES" ? Math.pow(1024, Math.floor(Math.log(high / 4) / Math.log(1024))) : 1;
      var rough = high / base / 4;
      var ten = Math.pow(10, Math.floor(Math.log10(rough)));
      var step = base * [1, 2, 2.5, 5, 10].map(function (m) { return m * ten; })
        .filter(function (m) { return m >= rough * 0.999; })[0];
      for (var i = 0; i * step <= high * 1.001; i++) {
        ticks.push(i * step);
      }
      high *= 1.02;
    }
    return {
      ticks: ticks,
      at: function (value) {
        var share = log ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
        return Math.max(0, Math.min(1, share));
      }
    };
  }

  var WIDTH = 400;
  var CHARACTER = 6.6;
  var pen = document.createElement("canvas").getContext("2d");

  function nameWidth(text) {
    pen.font = "600 13px " + getComputedStyle(document.body).fontFamily;
    return pen.measureText(text).width;
  }

  // Cut in the middle: rows of one engine differ at their end.
  function fitted(text, room) {
    var result = text;
    for (var kept = text.length - 1; nameWidth(result) > room && kept > 1; kept--) {
      var tail = Math.floor(kept / 2);
      result = text.slice(0, kept - tail) + "…" + text.slice(text.length - tail);
    }
    return result;
  }

  function text(style, x, y, anchor, content) {
    return svg("text", { class: style, x: x, y: y, "text-anchor": anchor }, content);
  }

  function bars(shown, metric) {
    var relative = shown.length > 0 && shown[0].factor !== null;
    var unit = relative ? "FACTOR" : metric.unit;
    var measures = shown.map(function (row) {
      return relative
        ? { value: row.factor, low: row.factorLow, high: row.factorHigh }
        : { value: row.value, low: row.low, high: row.high };
    });
    var positive = measures.map(function (each) { return each.value; }).filter(function (v) { return v > 0; });
    var far = Math.max.apply(null, positive) / Math.min.apply(null, positive) > 8;
    var log = positive.length === measures.length && (relative || far);
    var scale = axis(measures, log, unit);
    var label = Math.min(170, Math.max.apply(null, shown.map(function (row) { return nameWidth(row.name); })) + 8);
    var value = Math.max.apply(null, measures.map(function (each) { return quantity(unit, each.value).length; })) * CHARACTER + 8;
    var right = WIDTH - value;
    function x(at) {
      return label + scale.at(at) * (right - label);
    }
    var row = 22;
    var bottom = shown.length * row + 4;
    var picture = svg("svg", {
      class: "chart", viewBox: "0 0 " + WIDTH + " " + (bottom + (log ? 34 : 20)), role: "img",
      "aria-label": "Chart of the values in the table"
    });
    var free = label - 10;
    scale.ticks.forEach(function (at) {
      var mark = tick(unit, at);
      var half = mark.length * CHARACTER / 2;
      picture.append(svg("path", { class: "grid", d: "M" + x(at) + " 0V" + bottom }));
      if (x(at) - half >= free && x(at) + half <= WIDTH) {
        picture.append(text("small", x(at), bottom + 14, "middle", mark));
        free = x(at) + half + 8;
      }
    });
    if (log) {
      picture.append(text("small", (label + right) / 2, bottom + 30, "middle", "log scale"));
    }
    if (relative) {
      picture.append(svg("path", { class: "reference", d: "M" + x(1) + " 0V" + bottom }));
    }
    shown.forEach(function (each, i) {
      var measure = measures[i];
      var y = i * row + 11;
      var color = data.engines[each.engine].color;
      picture.append(text("name", 0, y + 4, "start", fitted(each.name, label - 4)));
      if (log) {
        picture.append(svg("path", { class: "track", d: "M" + label + " " + y + "H" + right }));
      } else {
        picture.append(svg("rect", {
          class: "f" + color, x: label, y: y - 6, width: Math.max(0, x(measure.value) - label), height: 12
        }));
      }
      if (measure.low !== null && measure.low < measure.high) {
        picture.append(svg("path", {
          class: log ? "l" + color : "inkline",
          d: "M" + x(measure.low) + " " + (y - 4) + "v8m0 -4H" + x(measure.high) + "m0 -4v8"
        }));
      }
      if (log) {
        picture.append(svg("circle", { class: "mark f" + color, cx: x(measure.value), cy: y, r: 4.6 }));
      }
      picture.append(text("value", WIDTH, y + 4, "end", quantity(unit, measure.value)));
    });
    return picture;
  }

  function marked(judged) {
    return (judged.fails ? "✗ " : judged.verdict === "meets all" ? "✓ " : judged.verdict ? "? " : "") + judged.verdict;
  }

  function style(column, row) {
    var mark = column[0] === "requirements" ? marked(requirements(row.engine)).charAt(0) : "";
    return column[1] + (mark ? " " + { "✗": "broken", "✓": "met", "?": "open" }[mark] : "");
  }

  function table(shown, ranking, id) {
    var metric = data.metrics[ranking.metric];
    var relative = shown.length > 0 && shown[0].factor !== null;
    var some = function (property) { return shown.some(property); };
    var columns = [
      undecided(ranking) ? null : ["rank", "", function (row) { return row.rank; }],
      ["engine", "w", function (row) { return row.name; }],
      [name(ranking), "", function (row) { return quantity(metric.unit, row.value); }],
      ["requirements", "w", function (row) {
        var judged = requirements(row.engine);
        return marked(judged) + (judged.failed.length ? ": " + judged.failed.join(", ") : "");
      }],
      relative ? null : ["95 % interval", "", function (row) { return interval(metric.unit, row.low, row.high); }],
      relative ? ["relative to " + choice.to, "", function (row) {
        var between = interval("FACTOR", row.factorLow, row.factorHigh);
        return ratio(row.factor) + (between ? " (" + between + ")" : "");
      }] : null,
      relative ? ["", "w", function (row) {
        return row.name === choice.to || !row.open ? "" : row.untested ? "not tested" : "not separated";
      }] : null,
      ["durability", "w", function (row) { return group().durability[row.engine]; }]
    ].filter(function (column) {
      return column && some(function (row) { return column[2](row); });
    });
    var head = el("tr");
    columns.forEach(function (column) { head.append(el("th", { class: column[1] || null }, column[0])); });
    var body = el("tbody");
    shown.forEach(function (row) {
      var line = el("tr");
      columns.forEach(function (column) {
        var heading = column[0] === "engine";
        line.append(el(heading ? "th" : "td", { scope: heading ? "row" : null, class: style(column, row) || null }, column[2](row)));
      });
      body.append(line);
    });
    return el("div", { class: "scroll" }, el("table", { id: id }, el("thead", null, head), body));
  }

  function select(label, key, options, describe) {
    var box = el("select", { id: "explore-" + key });
    options.forEach(function (option) { box.append(el("option", { value: option }, describe ? describe(option) : option)); });
    box.value = choice[key];
    box.addEventListener("change", function () {
      choice[key] = box.value;
      update(true);
      document.getElementById("explore-" + key).focus();
    });
    return el("label", null, label + " ", box);
  }

  function check(label, checked, changed) {
    var box = el("input", { type: "checkbox" });
    box.checked = checked;
    box.addEventListener("change", function () { changed(box.checked); });
    return el("label", null, box, " " + label);
  }

  var controls = el("form", { class: "controls" });
  var output = el("div");
  var strips = el("div");
  var caption = el("p", { "aria-live": "polite" });
  controls.addEventListener("submit", function (event) { event.preventDefault(); });

  function showControls() {
    var groups = groupsOf(choice.phase);
    var selects = el("div", null, select("Phase", "phase", distinct(data.groups.map(function (each) { return each.phase; }))));
    if (groups.length > 1) {
      selects.append(select("at", "at", groups.map(function (each) { return each.point; })));
    }
    selects.append(select("Metric", "metric", group().rankings.map(name)));
    selects.append(select("relative to", "to", [""].concat(measured), function (engine) { return engine || "nothing: values"; }));
    controls.replaceChildren(selects);
    var boxes = el("fieldset", null, el("legend", null, "Engines"));
    measured.forEach(function (engine) {
      boxes.append(check(engine, choice.hide.indexOf(engine) < 0, function (checked) {
        choice.hide = choice.hide.filter(function (each) { return each !== engine; }).concat(checked ? [] : [engine]);
        update(false);
      }));
    });
    if (measured.length > 1) {
      controls.append(boxes);
    }
    if (data.requirements) {
      controls.append(check("hide engines that fail a requirement", choice.met, function (checked) {
        choice.met = checked;
        update(false);
      }));
    }
  }

  /* The ranking, and those of the other operations by the same metric. */
  function panels(found) {
    return [found].concat(group().rankings.filter(function (each) {
      return each !== found && each.metric === found.metric && each.operation && found.operation;
    }));
  }

  function described(found, shown) {
    var where = group().phase + (group().point ? " at " + group().point : "");
    var missing = choice.to && shown.length && shown[0].factor === null ? " " + choice.to + " has no value above 0 here, so these are values." : "";
    return name(found) + " of " + where + (shown.length && shown[0].factor !== null ? ", relative to " + choice.to : "")
      + "; " + (data.metrics[found.metric].higher ? "higher" : "lower") + " is better. Whiskers are intervals. "
      + (found.rows.length < 2 ? "" : undecided(found) ? "No two engines are separated." : "Ranks are among all "
      + found.rows.length + " engines.") + missing;
  }

  function show() {
    output.replaceChildren();
    panels(ranking()).forEach(function (found, i) {
      var shown = rows(found);
      var panel = el("div", { class: "explored" });
      if (shown.length) {
        panel.append(el("figure", null, bars(shown, data.metrics[found.metric])), table(shown, found, "explored" + (i ? "-" + (i + 1) : "")));
      } else {
        panel.append(el("p", null, "No engine is chosen that has a value here."));
      }
      if (i) {
        output.append(el("h3", null, name(found)), el("p", null, described(found, shown)));
      } else {
        caption.textContent = described(found, shown);
      }
      output.append(panel);
    });
    strips.replaceChildren.apply(strips, overTime());
  }

  /* Single runs over time: strips below each other on one time axis. */
  var watched = { engine: "", repetition: "", chosen: false };

  function seriesHere() {
    var number = data.groups.indexOf(group());
    return data.series.filter(function (each) { return each.group === number; });
  }

  function time(ms) {
    return (ms / 1000) + " s";
  }

  function drawStrips(series) {
    var height = 62;
    var left = 62;
    var right = WIDTH - 8;
    var starts = series.strips.map(function (strip) { return strip[1]; });
    var ends = series.strips.map(function (strip) { return strip[1] + strip[2] * (strip.length - 4); });
    var from = Math.min.apply(null, starts);
    var to = Math.max.apply(null, ends);
    var bottom = series.strips.length * height;
    function x(ms) {
      return (left + (ms - from) / (to - from) * (right - left)).toFixed(1);
    }
    var picture = svg("svg", {
      class: "chart", viewBox: "0 0 " + WIDTH + " " + (bottom + 36), role: "img",
      "aria-label": "Over time: " + series.strips.map(function (strip) {
        var kind = data.strips[strip[0]];
        return kind.title + " up to " + quantity(kind.unit, strip[3]);
      }).join("; ")
    });
    if (from < 0) {
      picture.append(svg("rect", { class: "shade", x: left, y: 0, width: x(Math.min(0, to)) - left, height: bottom }));
    }
    var rough = (to - from) / 5;
    var ten = Math.pow(10, Math.floor(Math.log10(rough)));
    var step = [1, 2, 5, 10].map(function (m) { return m * ten; }).filter(function (m) { return m >= rough; })[0];
    for (var at = Math.ceil(from / step) * step; at <= to; at += step) {
      picture.append(svg("path", { class: "grid", d: "M" + x(at) + " 0V" + bottom }));
      picture.append(text("small", x(at), bottom + 14, "middle", time(at)));
    }
    picture.append(text("small", (left + right) / 2, bottom + 30, "middle",
      "time since the " + (from < 0 ? "end of the warm-up, which is shaded" : "start of the phase")));
    var color = data.engines[series.engine].color;
    series.strips.forEach(function (strip, i) {
      var kind = data.strips[strip[0]];
      var top = i * height + 18;
      var base = (i + 1) * height - 6;
      var path = "";
      strip.slice(4).forEach(function (value, j) {
        if (value !== null) {
          var y = (base - value / 1000 * (base - top)).toFixed(1);
          path += (path ? "L" : "M") + x(strip[1] + (j + 0.5) * strip[2]) + " " + y;
        }
      });
      picture.append(svg("path", { class: "grid", d: "M" + left + " " + base + "H" + right }));
      picture.append(text("small", left - 6, top + 8, "end", tick(kind.unit, strip[3])));
      picture.append(text("small", left - 6, base, "end", "0"));
      picture.append(text("tag", left + 2, top - 5, "start", kind.title));
      picture.append(svg("path", { class: "curve l" + color, d: path }));
    });
    return picture;
  }

  function overTime() {
    var here = seriesHere();
    if (!here.length) {
      return [];
    }
    var found = here.filter(function (each) { return engines[each.engine] === watched.engine; });
    found = found.length ? found : here.filter(function (each) { return each.engine === here[0].engine; });
    watched.engine = engines[found[0].engine];
    var series = found.filter(function (each) { return String(each.repetition) === watched.repetition; })[0] || found[0];
    watched.repetition = String(series.repetition);
    function choose(label, key, options) {
      var box = el("select", { id: "watch-" + key });
      options.forEach(function (option) { box.append(el("option", { value: option }, option)); });
      box.value = watched[key];
      box.addEventListener("change", function () {
        watched[key] = box.value;
        watched.chosen = true;
        update(false);
        document.getElementById("watch-" + key).focus();
      });
      return el("label", null, label + " ", box);
    }
    var boxes = el("div", null, choose("Engine", "engine", distinct(here.map(function (each) { return engines[each.engine]; }))));
    if (found.length > 1) {
      boxes.append(choose("repetition", "repetition", found.map(function (each) { return String(each.repetition); })));
    } else {
      boxes.append("repetition " + series.repetition);
    }
    var parts = [el("h3", null, "One run over time"), el("div", { class: "controls" }, boxes),
      el("figure", { class: "strips" }, drawStrips(series))];
    return data.unreadable.length ? parts.concat(el("p", null, "Not readable: " + data.unreadable.join("; "))) : parts;
  }

  function address() {
    var parameters = new URLSearchParams({ explore: choice.phase });
    [["at", group().point], ["metric", choice.metric], ["to", choice.to], ["met", choice.met ? "1" : ""],
      ["run", watched.chosen ? watched.engine + "." + watched.repetition : ""]].forEach(function (pair) {
      if (pair[1]) {
        parameters.set(pair[0], pair[1]);
      }
    });
    choice.hide.forEach(function (engine) { parameters.append("hide", engine); });
    return "#" + parameters;
  }

  /* Shows the choice, after it is made possible: a phase may lack a metric or a point. */
  function update(controlsToo) {
    choice.at = group().point;
    choice.metric = name(ranking());
    if (controlsToo) {
      showControls();
    }
    show();
    history.replaceState(null, "", address());
  }

  function readAddress() {
    var parameters = new URLSearchParams(location.hash.slice(1));
    var phase = parameters.get("explore") || "";
    var first = data.groups.filter(function (each) { return !each.load; })[0] || data.groups[0];
    choice.phase = groupsOf(phase).length ? phase : first.phase;
    choice.at = parameters.get("at") || "";
    choice.metric = parameters.get("metric") || "";
    choice.to = measured.indexOf(parameters.get("to")) < 0 ? "" : parameters.get("to");
    choice.hide = parameters.getAll("hide").filter(function (engine) { return engines.indexOf(engine) >= 0; });
    choice.met = parameters.has("met");
    var run = /^(.*)\.([0-9]+)$/.exec(parameters.get("run") || "");
    watched = { engine: run ? run[1] : "", repetition: run ? run[2] : "", chosen: Boolean(run) };
    choice.at = group().point;
    choice.metric = name(ranking());
    showControls();
    show();
    if (parameters.get("explore")) {
      section.scrollIntoView();
    }
  }

  section.append(controls, caption, output, strips);
  section.hidden = false;
  var contents = document.querySelector("nav ul");
  contents.prepend(el("li", null, el("a", { href: "#explore" }, "Explore")));
  window.addEventListener("hashchange", function () {
    if (new URLSearchParams(location.hash.slice(1)).get("explore") && location.hash !== address()) {
      readAddress();
    }
  });
  readAddress();
}

(function () {
  "use strict";
  var island = document.getElementById("data");
  if (island) {
    var data = JSON.parse(island.textContent);
    if (typeof data === "string") {
      inflated(data).then(JSON.parse).then(explore);
    } else {
      explore(data);
    }
  }
})();
