package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;

/**
 * The page as it stands, wide in both colour schemes and narrow, or in the sizes of a desk, a
 * tablet and a phone: it may not scroll sideways, and all of the text must be readable. With {@code
 * -Disotail.screenshots} pictures of it are kept in {@code target/screenshots}.
 */
final class Screenshots {
  private static final Path FOLDER = Path.of("target", "screenshots");

  /** Pictures cost more than all that is looked at, and nobody looks at those of a build. */
  private static final boolean KEPT = System.getProperty("isotail.screenshots") != null;

  private static final int WIDE_PX = 1280;
  private static final int NARROW_PX = 360;
  private static final int[] SIZES_PX = {1_400, 1_024, 390};

  /** Longer pages are cut. */
  private static final int MAX_HEIGHT_PX = 3_000;

  /**
   * Text that is shown and whose contrast with what is behind it is below WCAG's 4.5, or that is
   * smaller than 11 px.
   */
  private static final String UNREADABLE =
      """
      const channel = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
      const rgba = text => text.match(/[\\d.]+/g).map(Number);
      const behind = node => {
        for (let at = node; at; at = at.parentElement) {
          const color = rgba(getComputedStyle(at).backgroundColor);
          if (color.length < 4 || color[3] === 1) return color;
        }
        return [255, 255, 255];
      };
      const bad = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const node = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !node.checkVisibility({ visibilityProperty: true })) continue;
        if (node.closest('.sr, .skip, noscript, :disabled, title, [aria-hidden=true] .undone')) continue;
        const style = getComputedStyle(node);
        const front = rgba(node.namespaceURI.endsWith('svg') ? style.fill : style.color);
        const [a, b] = [light(front), light(behind(node))].sort((x, y) => y - x);
        const contrast = (a + 0.05) / (b + 0.05);
        if (contrast < 4.5) bad.push(`${contrast.toFixed(1)}: ${texts.currentNode.data.trim().slice(0, 40)}`);
        const drawing = node.closest('svg[viewBox]');
        const scale = drawing ? drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width : 1;
        if (parseFloat(style.fontSize) * scale < 10.99) bad.push(`${style.fontSize}: ${texts.currentNode.data.trim().slice(0, 40)}`);
      }
      return bad;
      """;

  /** What breaks a rule of accessibility, by axe, which describes nothing of all that keeps it. */
  private static final String VIOLATIONS =
      """
      const done = arguments[0];
      axe.run({ resultTypes: ['violations'] }).then(
        result => done(result.passes.length ? result.violations.flatMap(v => v.nodes.map(n => `${v.id}: ${n.target} ${n.failureSummary}`)) : ['nothing was looked at']),
        error => done([String(error)]));
      """;

  private Screenshots() {}

  /**
   * Takes them in all sizes and both colour schemes, named {@code NAME-WIDTH-SCHEME}. None may
   * break a rule of axe.
   */
  static void takeInAllSizes(ChromeDriver browser, String name) throws IOException {
    try {
      browser.executeScript(axe());
      for (int widthPx : SIZES_PX) {
        for (String theme : List.of("light", "dark")) {
          String picture = "%s-%d-%s".formatted(name, widthPx, theme);
          take(browser, picture, theme, widthPx, 900);
          assertThat((List<?>) browser.executeAsyncScript(VIOLATIONS)).as(picture).isEmpty();
        }
      }
    } finally {
      restore(browser);
    }
  }

  /** Runs something in a window of this width. */
  static void inSize(ChromeDriver browser, int widthPx, Runnable something) {
    resize(browser, widthPx, 900);
    try {
      something.run();
    } finally {
      restore(browser);
    }
  }

  private static String axe() throws IOException {
    try (InputStream script = Screenshots.class.getResourceAsStream("/axe.min.js")) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void restore(ChromeDriver browser) {
    browser.executeScript("delete document.documentElement.dataset.theme; scrollTo(0, 0)");
    browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
  }

  /** Takes them, named {@code NAME-light}, {@code NAME-dark} and {@code NAME-narrow}. */
  static void take(ChromeDriver browser, String name) throws IOException {
    try {
      take(browser, name + "-light", "light", WIDE_PX, 900);
      take(browser, name + "-dark", "dark", WIDE_PX, 900);
      take(browser, name + "-narrow", "light", NARROW_PX, 740);
    } finally {
      restore(browser);
    }
  }

  private static void take(
      ChromeDriver browser, String name, String theme, int widthPx, int heightPx)
      throws IOException {
    resize(browser, widthPx, heightPx);
    browser.executeScript("document.documentElement.dataset.theme = arguments[0]", theme);
    settle(browser);
    assertThat(number(browser, "return document.documentElement.scrollWidth"))
        .as("width of %s", name)
        .isLessThanOrEqualTo(widthPx);
    assertThat((List<?>) browser.executeScript(UNREADABLE)).as("contrast in %s", name).isEmpty();
    if (!KEPT) {
      return;
    }
    int fullPx = number(browser, "return document.documentElement.scrollHeight");
    resize(browser, widthPx, Math.min(MAX_HEIGHT_PX, Math.max(heightPx, fullPx)));
    settle(browser);
    Files.createDirectories(FOLDER);
    Files.write(FOLDER.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
  }

  /** Waits until what depends on the window's size has been drawn anew. */
  private static void settle(ChromeDriver browser) {
    browser.executeAsyncScript(
        "const done = arguments[0];"
            + "requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))");
  }

  private static int number(ChromeDriver browser, String script) {
    return ((Number) browser.executeScript(script)).intValue();
  }

  private static void resize(ChromeDriver browser, int widthPx, int heightPx) {
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of(
            "width",
            widthPx,
            "height",
            heightPx,
            "deviceScaleFactor",
            1,
            "mobile",
            widthPx <= SIZES_PX[2]));
  }
}
