package io.isotail.monitor.render;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.record.Operations;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A witness as a graph in Graphviz's language. The cycle's edges are drawn strong and in the colour
 * of their kind; session order and reads inside the capsule that lead up to it are drawn thin.
 *
 * <p>Every node and edge carries a {@code class}, so that a page can restyle it: {@code cycle},
 * {@code context}, and the edge's kind.
 */
public final class Dot {
  /** More operations of one transaction are cut; the capsule has them all. */
  static final int MAX_OPERATIONS_SHOWN = 12;

  /** Longer names are cut in the drawing. */
  static final int MAX_LABEL_CHARS = 60;

  private final StringBuilder text = new StringBuilder();

  private Dot() {}

  /** The anomaly's graph. */
  public static String of(Anomaly anomaly) {
    return new Dot().render(anomaly);
  }

  private String render(Anomaly anomaly) {
    WitnessEdges drawing = WitnessEdges.of(anomaly);
    text.append("digraph witness {\n");
    text.append("  graph [rankdir=LR, bgcolor=transparent, nodesep=0.5, ranksep=1.1];\n");
    text.append("  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=11,");
    text.append(" margin=\"0.16,0.1\"];\n");
    text.append("  edge [fontname=\"Helvetica\", fontsize=11];\n");
    Set<String> drawn = new HashSet<>();
    for (CapsuleTransaction transaction : anomaly.capsule()) {
      node(transaction.name(), transaction, drawing);
      drawn.add(transaction.name());
    }
    for (String name : drawing.inCycle()) {
      if (drawn.add(name)) {
        node(name, null, drawing);
      }
    }
    drawing.edges().forEach(this::edge);
    return text.append("}\n").toString();
  }

  private void node(String name, @Nullable CapsuleTransaction transaction, WitnessEdges drawing) {
    List<String> lines = new ArrayList<>();
    lines.add(cut(name));
    if (transaction != null) {
      String service = transaction.session().service();
      if (service != null) {
        lines.add(cut(service));
      }
      lines.addAll(operations(drawing.words(), transaction.operations()));
    }
    String style = drawing.isCentral(name) ? "cycle" : "context";
    text.append("  ").append(quote(name)).append(" [label=\"");
    for (String line : lines) {
      text.append(escape(line)).append("\\n");
    }
    text.append("\", class=\"").append(style).append("\"");
    text.append(", tooltip=").append(quote(name)).append("];\n");
  }

  /** A line for each operation, as many as are shown. */
  static List<String> operations(OperationText words, Operations operations) {
    List<String> lines = new ArrayList<>();
    int shown = Math.min(operations.size(), MAX_OPERATIONS_SHOWN);
    for (int i = 0; i < shown; i++) {
      lines.add(cut(Names.operation(words, operations, i)));
    }
    if (shown < operations.size()) {
      lines.add("… %d more".formatted(operations.size() - shown));
    }
    return lines;
  }

  private void edge(WitnessEdges.Edge edge) {
    String key = edge.key();
    String kind = edge.kind().label();
    String label = key == null ? kind : kind + " " + cut(key);
    text.append("  ").append(quote(edge.from())).append(" -> ").append(quote(edge.to()));
    text.append(" [label=\" ").append(escape(label)).append(" \"");
    text.append(", class=\"").append(edge.isCycle() ? "cycle " : "context ").append(kind);
    text.append("\", tooltip=").append(quote(edge.because()));
    if (edge.isCycle()) {
      text.append(", color=\"").append(edge.color());
      text.append("\", fontcolor=\"").append(edge.color());
      text.append("\", penwidth=2");
    } else {
      text.append(", color=\"#8a8f98\", fontcolor=\"#8a8f98\", style=dashed, weight=0");
    }
    text.append("];\n");
  }

  static String cut(String name) {
    if (name.length() <= MAX_LABEL_CHARS) {
      return name;
    }
    return name.substring(0, MAX_LABEL_CHARS - 1) + "…";
  }

  private static String quote(String value) {
    return "\"" + escape(value) + "\"";
  }

  /** Leaves nothing that Graphviz would read as an escape, an entity or an end of the string. */
  private static String escape(String value) {
    StringBuilder escaped = new StringBuilder(value.length());
    value
        .codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                escaped.append('\\').appendCodePoint(c);
              } else if (c == '&') {
                escaped.append("&amp;");
              } else if (Character.isISOControl(c)) {
                escaped.append(' ');
              } else {
                escaped.appendCodePoint(c);
              }
            });
    return escaped.toString();
  }
}
