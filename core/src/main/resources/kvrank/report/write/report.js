/* The text of what the page has compressed. */
function inflated(packed) {
  "use strict";
  var bytes = Uint8Array.from(atob(packed), function (c) { return c.charCodeAt(0); });
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

(function () {
  "use strict";
  var root = document.documentElement;
  window.addEventListener("error", function (event) {
    root.setAttribute("data-error", event.message);
  });

  var units = {
    ns: 1e-9, "µs": 1e-6, ms: 1e-3, s: 1,
    "/s": 1, "k/s": 1e3, "M/s": 1e6,
    B: 1, KiB: 1024, MiB: 1048576, GiB: 1073741824, TiB: 1099511627776
  };

  /* A cell that spans columns leaves none for the others. */
  function words(cell) {
    return cell ? cell.textContent.trim() : "";
  }

  /* The exact value if the cell has it; else the one of its text, in one unit. */
  function number(cell) {
    if (cell && cell.hasAttribute("data-value")) {
      return Number(cell.getAttribute("data-value"));
    }
    var parts = /^([±×÷<>✓✗? ]*)([-+−]?[0-9][0-9,]*(?:\.[0-9]+)?)(?:[–][0-9.,]+)?\s*([^\s(]*)/.exec(words(cell));
    if (!parts) {
      return NaN;
    }
    var value = Number(parts[2].replace(/,/g, "").replace("−", "-")) * (units[parts[3]] || 1);
    /* A column has both ×÷3.1 and ±5%, or both 3.1x and −5%. */
    return parts[1].startsWith("×") ? 100 * (value - 1)
      : /^[+−]/.test(parts[2]) && parts[3] === "%" ? 1 + value / 100 : value;
  }

  function sort(table, column, descending) {
    var body = table.tBodies[0];
    var headings = table.tHead.rows[0].cells;
    var numeric = !headings[column].classList.contains("w");
    var rows = Array.from(body.rows);
    rows.sort(function (one, other) {
      var order;
      if (numeric) {
        var a = number(one.cells[column]);
        var b = number(other.cells[column]);
        if (isNaN(a) || isNaN(b)) {
          return Number(isNaN(a)) - Number(isNaN(b));
        }
        order = a - b;
      } else {
        order = words(one.cells[column]).localeCompare(words(other.cells[column]), "en");
      }
      return descending ? -order : order;
    });
    rows.forEach(function (row) { body.appendChild(row); });
    Array.from(headings).forEach(function (heading, index) {
      if (index === column) {
        heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      } else {
        heading.removeAttribute("aria-sort");
      }
    });
  }

  document.querySelectorAll("table.sortable").forEach(function (table) {
    if (table.tBodies[0].rows.length < 2) {
      return;
    }
    Array.from(table.tHead.rows[0].cells).forEach(function (heading, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      heading.textContent = "";
      heading.appendChild(button);
      button.addEventListener("click", function () {
        sort(table, column, heading.getAttribute("aria-sort") === "ascending");
      });
    });
  });

  /* #sort=TABLE,COLUMN or #sort=TABLE,COLUMN,descending: an address for a table as somebody saw it. */
  function sortByAddress() {
    var parts = /^#sort=([^,]+),([0-9]+)(,descending)?$/.exec(decodeURIComponent(location.hash));
    var table = parts ? document.getElementById(parts[1]) : null;
    if (table) {
      sort(table, Number(parts[2]), Boolean(parts[3]));
      table.scrollIntoView();
    }
  }

  /* Charts that are packed are unpacked when they come near, or what they are in is opened. */
  function unpack(box) {
    var packed = box.dataset.packed;
    box.removeAttribute("data-packed");
    box.classList.add("unpacking");
    return inflated(packed).then(function (markup) {
      box.innerHTML = markup;
      box.classList.remove("unpacking");
    });
  }

  var near = new IntersectionObserver(function (entries) {
    entries.forEach(function (entry) {
      if (entry.isIntersecting && entry.target.dataset.packed) {
        unpack(entry.target);
      }
    });
  }, { rootMargin: "1200px" });
  document.querySelectorAll("[data-packed]").forEach(function (box) {
    if (!box.closest("details")) {
      near.observe(box);
    }
  });

  function open(event) {
    if (event.target.open) {
      event.target.querySelectorAll("[data-packed]").forEach(function (box) {
        if (box.closest("details") === event.target) {
          unpack(box);
        }
      });
    }
    measure();
  }

  /* How far the page is wider than the window; 0 unless something went wrong. */
  function measure() {
    root.setAttribute("data-overflow", String(root.scrollWidth - root.clientWidth));
    /* A table that fits needs no stop for the keyboard. */
    document.querySelectorAll(".scroll").forEach(function (box) {
      if (box.scrollWidth > box.clientWidth) {
        box.setAttribute("tabindex", "0");
      } else {
        box.removeAttribute("tabindex");
      }
    });
  }

  window.addEventListener("hashchange", sortByAddress);
  window.addEventListener("resize", measure);
  window.addEventListener("load", measure);
  document.addEventListener("toggle", open, true);
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (details) { details.open = true; });
    document.querySelectorAll("[data-packed]").forEach(unpack);
  });
  sortByAddress();
  measure();
  root.setAttribute("data-ready", "true");
})();
