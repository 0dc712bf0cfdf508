package io.isotail.monitor.render;

import java.util.ArrayList;
import java.util.List;

/** Writes the elements of a drawing, and estimates how wide its texts are. */
final class SvgText {
  /** Of the widest of the usual fonts of 12 px whose letters are equally wide. */
  private static final double CHAR = 7.4;

  private static final int LONGEST_CHARS = 4_000;

  /** Rules for a page that holds drawings without their own. */
  static final String STYLE =
      """
      text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1f2328; white-space: pre; }
      .sheet { fill: #ffffff; }
      .title { font-size: 16px; font-weight: bold; }
      .name, .number { font-weight: bold; }
      text.faint { fill: #59636e; }
      .lane { fill: #f3f5f7; rx: 8px; }
      .box { fill: #ffffff; stroke: #8a8f98; stroke-width: 1; rx: 6px; }
      .box.central { stroke: #1f2328; stroke-width: 1.6; }
      path { fill: none; }
      path.edge { stroke-width: 2; }
      path.context { stroke: #8a8f98; stroke-dasharray: 4 4; }
      .context-head { fill: #8a8f98; }
      .label { stroke: #ffffff; stroke-width: 4px; paint-order: stroke; }
      path.edge.so { stroke: #6b7280; } .head.so, .number.so { fill: #6b7280; }
      path.edge.wr { stroke: #2563eb; } .head.wr, .number.wr { fill: #2563eb; }
      path.edge.ww { stroke: #c2410c; } .head.ww, .number.ww { fill: #c2410c; }
      path.edge.rw { stroke: #b91c1c; } .head.rw, .number.rw { fill: #b91c1c; }
      path.edge.co { stroke: #7c3aed; } .head.co, .number.co { fill: #7c3aed; }
      path.edge.rt { stroke: #0f766e; } .head.rt, .number.rt { fill: #0f766e; }
      @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; }
        .sheet { fill: #0d1117; }
        text.faint { fill: #9198a1; }
        .lane { fill: #151b23; }
        .box { fill: #0d1117; }
        .box.central { stroke: #e6edf3; }
        .label { stroke: #0d1117; }
        path.edge.so { stroke: #9aa4b2; } .head.so, .number.so { fill: #9aa4b2; }
        path.edge.wr { stroke: #79a8ff; } .head.wr, .number.wr { fill: #79a8ff; }
        path.edge.ww { stroke: #ff9e64; } .head.ww, .number.ww { fill: #ff9e64; }
        path.edge.rw { stroke: #ff7b72; } .head.rw, .number.rw { fill: #ff7b72; }
        path.edge.co { stroke: #bfa2ff; } .head.co, .number.co { fill: #bfa2ff; }
        path.edge.rt { stroke: #5eead4; } .head.rt, .number.rt { fill: #5eead4; }
      }
      """;

  private final StringBuilder shapes = new StringBuilder();

  /** Drawn last, so that no edge lies on them. */
  private final StringBuilder labels = new StringBuilder();

  /** How wide a text is about, in px; letters of East Asian scripts and pictures count twice. */
  static int width(String text) {
    return (int) Math.ceil(CHAR * text.codePoints().map(c -> c < 0x1100 ? 1 : 2).sum());
  }

  /** How many letters fit into so many px. */
  static int chars(int px) {
    return Math.max(20, (int) (px / CHAR));
  }

  /** The text, or its beginning. */
  static String cut(String text, int chars) {
    return text.codePointCount(0, text.length()) <= chars
        ? text
        : text.substring(0, text.offsetByCodePoints(0, chars - 1)) + "…";
  }

  /** Lines of at most so many letters, broken at spaces and after hyphens where there are some. */
  static List<String> wrapped(String text, int chars) {
    List<String> lines = new ArrayList<>();
    String left = cut(text, LONGEST_CHARS);
    int most = width(left) > left.length() * CHAR * 1.3 ? chars / 2 : chars;
    while (left.length() > most) {
      int hyphen = Math.max(left.lastIndexOf('-', most - 1), left.lastIndexOf(':', most - 1));
      int space = Math.max(left.lastIndexOf(' ', most), hyphen + 1);
      int end = space > most / 2 ? space : most;
      if (Character.isLowSurrogate(left.charAt(end))) {
        end--;
      }
      lines.add(left.substring(0, end));
      left = left.substring(end).stripLeading();
    }
    lines.add(left);
    return lines;
  }

  void text(int x, int y, String style, String words) {
    text(shapes, x, y, style, words);
  }

  /** A text that may lie on an edge. */
  void label(int x, int y, String style, String words) {
    text(labels, x, y, "label " + style, words);
  }

  private static void text(StringBuilder to, int x, int y, String style, String words) {
    to.append("<text x=\"").append(x).append("\" y=\"").append(y);
    to.append("\" class=\"").append(style).append("\">");
    to.append(Markup.escaped(words)).append("</text>\n");
  }

  void rect(int x, int y, int width, int height, String style) {
    shapes.append("<rect x=\"").append(x).append("\" y=\"").append(y);
    shapes.append("\" width=\"").append(width).append("\" height=\"").append(height);
    shapes.append("\" rx=\"6\" class=\"").append(style).append("\"/>\n");
  }

  /** What follows belongs together, until {@link #end}. */
  void begin(String style) {
    shapes.append("<g class=\"").append(style).append("\">\n");
  }

  void end() {
    shapes.append("</g>\n");
  }

  /**
   * From a box's right side to the track and back to another's, with a head.
   *
   * @param kind what both are styled by beside {@code line} and {@code head}
   */
  void edge(
      int fromX, int fromY, int trackX, int toX, int toY, String line, String head, String kind) {
    shapes.append("<path d=\"M").append(fromX).append(' ').append(fromY);
    shapes.append(" H").append(trackX).append(" V").append(toY).append(" H").append(toX + 8);
    shapes.append("\" class=\"").append(line).append(' ').append(kind);
    shapes.append("\"/>\n<polygon points=\"");
    shapes.append(toX).append(',').append(toY).append(' ');
    shapes.append(toX + 10).append(',').append(toY - 5).append(' ');
    shapes.append(toX + 10).append(',').append(toY + 5);
    shapes.append("\" class=\"").append(head).append(' ').append(kind).append("\"/>\n");
  }

  /**
   * Everything so far, on a sheet of this size.
   *
   * @param styled whether it brings its own style; a page that takes it has one
   */
  String document(int width, int height, String title, String description, boolean styled) {
    return """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$s" height="%2$s" viewBox="0 0 %1$s %2$s" role="img">
        <title>%3$s</title>
        <desc>%4$s</desc>
        %5$s
        <rect width="%1$s" height="%2$s" class="sheet"/>
        %6$s%7$s</svg>
        """
        .formatted(
            width,
            height,
            Markup.escaped(title),
            Markup.escaped(description),
            styled ? "<style>\n" + STYLE + "</style>" : "",
            shapes,
            labels);
  }
}
