package io.isotail.monitor.render;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
  private final Set<String> inCycle = new LinkedHashSet<>();
  private final Set<String> drawnPairs = new HashSet<>();

  private Dot() {}

  /** The anomaly's graph. */
  public static String of(Anomaly anomaly) {
    return new Dot().render(anomaly);
  }

  private String render(Anomaly anomaly) {
    for (CycleEdge edge : anomaly.cycle()) {
      inCycle.add(edge.from());
      inCycle.add(edge.to());
    }
    text.append("digraph witness {\n");
    text.append("  graph [rankdir=LR, bgcolor=transparent, nodesep=0.5, ranksep=1.1];\n");
    text.append("  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=11,");
    text.append(" margin=\"0.16,0.1\"];\n");
    text.append("  edge [fontname=\"Helvetica\", fontsize=11];\n");
    Set<String> drawn = new HashSet<>();
    for (CapsuleTransaction transaction : anomaly.capsule()) {
      node(transaction.name(), transaction);
      drawn.add(transaction.name());
    }
    for (String name : inCycle) {
      if (drawn.add(name)) {
        node(name, null);
      }
    }
    for (CycleEdge edge : anomaly.cycle()) {
      drawnPairs.add(pair(edge.from(), edge.to(), edge.kind()));
      edge(edge.from(), edge.to(), edge.kind(), edge.key(), "cycle", edge.because());
    }
    sessionOrder(anomaly.capsule());
    reads(anomaly.capsule());
    return text.append("}\n").toString();
  }

  private void node(String name, @Nullable CapsuleTransaction transaction) {
    List<String> lines = new ArrayList<>();
    lines.add(cut(name));
    if (transaction != null) {
      String service = transaction.session().service();
      if (service != null) {
        lines.add(cut(service));
      }
      Operations operations = transaction.operations();
      int shown = Math.min(operations.size(), MAX_OPERATIONS_SHOWN);
      for (int i = 0; i < shown; i++) {
        lines.add(cut(Names.operation(operations, i)));
      }
      if (shown < operations.size()) {
        lines.add("… %d more".formatted(operations.size() - shown));
      }
    }
    String style = inCycle.contains(name) || inCycle.isEmpty() ? "cycle" : "context";
    text.append("  ").append(quote(name)).append(" [label=\"");
    for (String line : lines) {
      text.append(escape(line)).append("\\n");
    }
    text.append("\", class=\"").append(style).append("\"");
    text.append(", tooltip=").append(quote(name)).append("];\n");
  }

  private void edge(
      String from, String to, EdgeKind kind, @Nullable String key, String style, String because) {
    String label = key == null ? kind.label() : kind.label() + " " + cut(key);
    text.append("  ").append(quote(from)).append(" -> ").append(quote(to));
    text.append(" [label=\" ").append(escape(label)).append(" \"");
    text.append(", class=\"").append(style).append(' ').append(kind.label()).append('"');
    text.append(", tooltip=").append(quote(because));
    if (style.equals("cycle")) {
      String color = color(kind);
      text.append(", color=\"").append(color).append("\", fontcolor=\"").append(color);
      text.append("\", penwidth=2");
    } else {
      text.append(", color=\"#8a8f98\", fontcolor=\"#8a8f98\", style=dashed, weight=0");
    }
    text.append("];\n");
  }

  private void sessionOrder(List<CapsuleTransaction> capsule) {
    Map<Long, CapsuleTransaction> last = new HashMap<>();
    for (CapsuleTransaction next : capsule) {
      CapsuleTransaction previous = last.get(next.session().id());
      if (previous != null && previous.position() < next.position()) {
        context(previous.name(), next.name(), EdgeKind.SO, null, "earlier in the same session");
      }
      last.put(next.session().id(), next);
    }
  }

  private void reads(List<CapsuleTransaction> capsule) {
    Map<KeyVersion, String> writers = new HashMap<>();
    for (CapsuleTransaction transaction : capsule) {
      Operations operations = transaction.operations();
      for (int i = 0; i < operations.size(); i++) {
        if (isKnown(operations, i, OperationKind.WRITE)) {
          writers.putIfAbsent(KeyVersion.of(operations, i), transaction.name());
        }
      }
    }
    for (CapsuleTransaction transaction : capsule) {
      Operations operations = transaction.operations();
      for (int i = 0; i < operations.size(); i++) {
        if (!isKnown(operations, i, OperationKind.READ)) {
          continue;
        }
        String writer = writers.get(KeyVersion.of(operations, i));
        if (writer != null && !writer.equals(transaction.name())) {
          String key = Names.shownKey(operations, i);
          String because = "%s read what %s wrote".formatted(transaction.name(), writer);
          context(writer, transaction.name(), EdgeKind.WR, key, because);
        }
      }
    }
  }

  private void context(
      String from, String to, EdgeKind kind, @Nullable String key, String because) {
    if (drawnPairs.add(pair(from, to, kind))) {
      edge(from, to, kind, key, "context", because);
    }
  }

  private static boolean isKnown(Operations operations, int i, OperationKind kind) {
    return operations.kind(i) == kind
        && operations.versionKind(i) == VersionKind.KNOWN
        && !operations.undone(i);
  }

  private static String pair(String from, String to, EdgeKind kind) {
    return from + '\u0000' + to + '\u0000' + kind;
  }

  private static String color(EdgeKind kind) {
    return switch (kind) {
      case SO -> "#6b7280";
      case WR -> "#2563eb";
      case WW -> "#c2410c";
      case RW -> "#b91c1c";
      case CO -> "#7c3aed";
      case RT -> "#0f766e";
    };
  }

  private static String cut(String name) {
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

  private record KeyVersion(long key, long version) {
    static KeyVersion of(Operations operations, int i) {
      return new KeyVersion(operations.key(i), operations.version(i));
    }
  }
}
