"use strict";
// Draws the plots in the colours of the style sheet, and again when those change: light, dark, print.
(() => {
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const charts = [...document.querySelectorAll(".chart")];
  const root = document.documentElement;
  // Printed on A4 with 15 mm margins, in CSS pixels: the whole width, and half of it for maps.
  const PAGE = 680;
  const HALF_PAGE = 330;
  // Lower than on the screen, so that two plots share a page.
  const PRINT_HEIGHT = 0.8;
  const ROOMY = 560;

  const config = {
    // While the pointer is over a plot; page.css puts it beside the heading, where it covers nothing.
    displayModeBar: "hover",
    displaylogo: false,
    showTips: false,
    showSendToCloud: false,
    showEditInChartStudio: false,
    plotlyServerURL: "",
    modeBarButtonsToRemove: ["sendDataToCloud", "editInChartStudio", "lasso2d", "select2d", "autoScale2d"],
    toImageButtonOptions: { format: "svg" },
  };

  // "@greedy" is the colour --greedy of the style sheet, "@greedy/0.2" the same, see-through.
  const colour = (styles, name) => {
    const [key, alpha] = name.slice(1).split("/");
    const hex = styles.getPropertyValue("--" + key).trim();
    if (!alpha) return hex;
    const part = (at) => parseInt(hex.slice(at, at + 2), 16);
    return `rgba(${part(1)},${part(3)},${part(5)},${alpha})`;
  };
  // Only where a colour is meant: a robot may be called "@greedy".
  const painted = (styles, value, key = "") => {
    if (typeof value === "string") return /color$/.test(key) && value.startsWith("@") ? colour(styles, value) : value;
    if (Array.isArray(value)) return value.map((item) => painted(styles, item, key));
    if (value && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, painted(styles, item, name)]));
    return value;
  };

  const AXIS = {
    gridcolor: "@line",
    linecolor: "@faint",
    zerolinecolor: "@line",
    tickcolor: "@faint",
    showline: true,
    ticks: "outside",
    ticklen: 4,
    automargin: true,
    title: { standoff: 8 },
  };
  const framed = (layout, height, width) => {
    const full = {
      height,
      margin: { l: 56, r: 16, t: 8, b: 48 },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      hoverlabel: { bgcolor: "@panel", bordercolor: "@line", font: { color: "@ink" } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: "@faint", activecolor: "@ink" },
      // Above the plot, where it pushes nothing aside however many rows it takes.
      legend: { orientation: "h", x: 0, xanchor: "left", y: 1.02, yanchor: "bottom" },
      ...layout,
      font: { family: getComputedStyle(document.body).fontFamily, size: 13, color: "@ink", ...layout.font },
      ...(width ? { width, autosize: false } : { autosize: true }),
    };
    for (const axis of Object.keys(full).filter((key) => /^[xy]axis/.test(key))) {
      full[axis] = { ...AXIS, ...full[axis], title: { ...AXIS.title, ...full[axis].title } };
    }
    return full;
  };

  const draw = () => {
    const styles = getComputedStyle(root);
    const printing = root.hasAttribute("data-print");
    for (const chart of charts) {
      const { data, layout } = figures[chart.id];
      const half = chart.closest(".maps") !== null;
      const width = printing ? (half ? HALF_PAGE : PAGE) : undefined;
      const height = Number(chart.dataset.height) * (printing && !half ? PRINT_HEIGHT : 1);
      chart.style.height = `${height}px`;
      // Where there is no room for labels, hovering still shows them.
      const roomy = (width ?? chart.clientWidth) >= ROOMY;
      const traces = data.map((trace) => (trace.meta === "label" && !roomy ? { ...trace, mode: "markers" } : trace));
      Plotly.react(chart, painted(styles, traces), painted(styles, framed(layout, height, width)), config);
    }
  };
  const print = (on) => {
    root.toggleAttribute("data-print", on);
    draw();
  };

  draw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  // From nothing: Plotly's own resizing leaves legends where they were, over the plot.
  let redraw = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(redraw);
    redraw = requestAnimationFrame(() => {
      charts.forEach((chart) => Plotly.purge(chart));
      draw();
    });
  });
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
})();
