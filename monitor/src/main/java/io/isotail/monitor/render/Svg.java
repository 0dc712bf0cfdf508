package io.isotail.monitor.render;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.record.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A witness as an SVG drawing that needs nothing else.
 *
 * <p>Each session has a lane, from top to bottom. Each transaction has a row of its own, in the
 * order of the capsule, so that the edges, which leave and enter boxes on their right side, cross
 * no box: they run to tracks on the right of all lanes, the shorter the nearer. The cycle's edges
 * are strong and numbered; what leads up to it is dashed. Below stands why each edge of the cycle
 * holds. Where all that is too wide, the transactions stand in one column, their lines wrapped, and
 * the edges are labelled by number and kind alone.
 *
 * <p>Differs from {@link Dot} in that nothing lays it out but this class: the widths of texts are
 * estimated, in a font whose letters are equally wide.
 */
public final class Svg {
  private static final int MARGIN = 24;
  private static final int LINE = 18;
  private static final int PADDING = 10;
  private static final int LANE_GAP = 24;
  private static final int ROW_GAP = 26;
  private static final int TRACK_GAP = 26;
  private static final int LABEL_GAP = 6;
  private static final int NARROW_MARGIN = 4;
  private static final int NARROW_GAP = 20;
  private static final int LEAST_WIDTH = 720;
  private static final int MAX_KEY_CHARS = 28;

  /** Further edges that only lead up to the cycle are not drawn. */
  private static final int MAX_CONTEXT_EDGES = 40;

  private final SvgText out = new SvgText();
  private final Map<String, Box> boxes = new LinkedHashMap<>();
  private final Map<Object, Lane> lanes = new LinkedHashMap<>();
  private final List<Track> tracks = new ArrayList<>();
  private final List<Column> columns = new ArrayList<>();

  /** Width that is to be kept in one column; 0 for lanes of any width. */
  private final int narrowPx;

  private int width;

  private Svg(int narrowPx) {
    this.narrowPx = narrowPx;
  }

  /** A session's column; {@code x} and {@code width} are known when all boxes are. */
  private static final class Lane {
    final String name;
    int x;
    int width;

    Lane(String name) {
      this.name = name;
      this.width = SvgText.width(name) + 2 * PADDING;
    }
  }

  /** A transaction; a port is the height at which an edge leaves or enters it. */
  private static final class Box {
    final Lane lane;
    List<String> lines;
    final boolean central;
    int y;
    int ports;
    int portsUsed;

    Box(Lane lane, List<String> lines, boolean central) {
      this.lane = lane;
      this.lines = lines;
      this.central = central;
    }

    int height() {
      return Math.max(lines.size() * LINE, ports * LINE) + 2 * PADDING - 4;
    }

    int nextPort() {
      portsUsed++;
      return y + height() * portsUsed / (ports + 1);
    }
  }

  /** An edge's way on the right of the lanes; {@code number} is 0 where it is not of the cycle. */
  private record Track(
      WitnessEdges.Edge edge, int number, String label, int firstRow, int lastRow) {}

  /** Tracks above each other, with the place of their labels. */
  private static final class Column {
    final List<Track> tracks = new ArrayList<>();
    int width;

    boolean hasRoomFor(Track track) {
      return tracks.stream()
          .allMatch(t -> t.lastRow() < track.firstRow() || track.lastRow() < t.firstRow());
    }

    void add(Track track) {
      tracks.add(track);
      width = Math.max(width, LABEL_GAP + SvgText.width(track.label()));
    }
  }

  /** The anomaly's drawing with the words that belong to it, an XML document. */
  public static String of(Anomaly anomaly) {
    return new Svg(0).render(anomaly, true);
  }

  /** The style rules of {@link #cycle drawings without words}, for a page that holds some. */
  public static String styles() {
    return SvgText.STYLE;
  }

  /**
   * Its transactions and edges alone, for a page that has the words, and the {@link #styles}.
   *
   * @param width how wide it should be at most, in px
   */
  public static String cycle(Anomaly anomaly, int width) {
    Svg lanes = new Svg(0);
    String drawing = lanes.render(anomaly, false);
    return lanes.width <= width ? drawing : new Svg(width).render(anomaly, false);
  }

  private String render(Anomaly anomaly, boolean words) {
    WitnessEdges drawing = WitnessEdges.of(anomaly);
    for (CapsuleTransaction transaction : anomaly.capsule()) {
      box(transaction.name(), transaction, drawing);
    }
    for (String name : drawing.inCycle()) {
      if (!boxes.containsKey(name)) {
        box(name, null, drawing);
      }
    }
    int context = tracks(drawing);
    place();
    int lanesEnd = lanes.values().stream().mapToInt(l -> l.x + l.width).max().orElse(margin());
    width = Math.max(words ? LEAST_WIDTH : 0, lanesEnd + tracksWidth() + margin());
    int y = words ? heading(anomaly, width) : 0;
    int top = narrowPx > 0 ? 0 : y + LINE;
    y = rows(narrowPx > 0 ? 0 : top + LINE);
    lanes(top, y);
    boxes.values().forEach(this::draw);
    edges(lanesEnd);
    y = words ? why(y + ROW_GAP, width, context - MAX_CONTEXT_EDGES) : y;
    return out.document(
        width,
        y + margin(),
        CauseText.plain(anomaly.kind()) + ": " + anomaly.kind() + " violates " + anomaly.level(),
        anomaly.explanation(),
        words);
  }

  private void box(String name, @Nullable CapsuleTransaction t, WitnessEdges drawing) {
    // Sessions may share a name; their ids differ.
    Lane lane =
        narrowPx > 0
            ? lanes.computeIfAbsent("", n -> new Lane(""))
            : t == null
                ? lanes.computeIfAbsent(name, n -> new Lane(""))
                : lanes.computeIfAbsent(
                    t.session().id(), id -> new Lane(Dot.cut(t.session().name())));
    List<String> lines = new ArrayList<>();
    lines.add(Dot.cut(name));
    if (t != null) {
      String service = t.session().service();
      if (service != null && !service.isEmpty()) {
        lines.add(Dot.cut(service));
      }
      if (t.ranAt() != null) {
        lines.add("at " + Dot.cut(t.ranAt()));
      }
      if (t.outcome() != Outcome.COMMITTED) {
        lines.add(t.outcome().name().toLowerCase(Locale.ROOT));
      }
      lines.addAll(Dot.operations(drawing.words(), t.operations()));
    }
    for (String line : lines) {
      lane.width = Math.max(lane.width, SvgText.width(line) + 2 * PADDING);
    }
    boxes.putIfAbsent(name, new Box(lane, lines, drawing.isCentral(name)));
  }

  /** Chooses the edges that are drawn, and their columns; returns how many lead up to the cycle. */
  private int tracks(WitnessEdges drawing) {
    List<String> rows = new ArrayList<>(boxes.keySet());
    int number = 0;
    int context = 0;
    for (WitnessEdges.Edge edge : drawing.edges()) {
      if (!edge.isCycle() && ++context > MAX_CONTEXT_EDGES) {
        continue;
      }
      String kind = edge.kind().label();
      String key = narrowPx > 0 ? null : edge.key();
      String label = key == null ? kind : kind + " " + SvgText.cut(key, MAX_KEY_CHARS);
      if (edge.isCycle()) {
        number++;
      }
      int from = rows.indexOf(edge.from());
      int to = rows.indexOf(edge.to());
      tracks.add(
          new Track(
              edge,
              edge.isCycle() ? number : 0,
              edge.isCycle() ? number + " " + label : label,
              Math.min(from, to),
              Math.max(from, to)));
      at(edge.from()).ports++;
      at(edge.to()).ports++;
    }
    tracks.sort(Comparator.comparingInt((Track t) -> t.lastRow() - t.firstRow()));
    for (Track track : tracks) {
      columns.stream()
          .filter(c -> c.hasRoomFor(track))
          .findFirst()
          .orElseGet(this::column)
          .add(track);
    }
    return context;
  }

  private Column column() {
    columns.add(new Column());
    return columns.get(columns.size() - 1);
  }

  private Box at(String name) {
    Box box = boxes.get(name);
    if (box == null) {
      throw new IllegalStateException("an edge without a box");
    }
    return box;
  }

  private int margin() {
    return narrowPx > 0 ? NARROW_MARGIN : MARGIN;
  }

  private int gap() {
    return narrowPx > 0 ? NARROW_GAP : TRACK_GAP;
  }

  private void place() {
    int x = margin();
    int most = narrowPx > 0 ? narrowPx - tracksWidth() - 2 * margin() : Integer.MAX_VALUE;
    for (Lane lane : lanes.values()) {
      lane.x = x;
      lane.width = Math.min(lane.width, most);
      x += lane.width + LANE_GAP;
    }
    if (narrowPx > 0) {
      int chars = SvgText.chars(most - 2 * PADDING);
      boxes
          .values()
          .forEach(
              box ->
                  box.lines =
                      box.lines.stream().flatMap(l -> SvgText.wrapped(l, chars).stream()).toList());
    }
  }

  private int tracksWidth() {
    return columns.stream().mapToInt(column -> gap() + column.width).sum();
  }

  private int heading(Anomaly anomaly, int width) {
    int y = MARGIN + LINE;
    out.text(MARGIN, y, "title", CauseText.plain(anomaly.kind()));
    y += LINE + 4;
    String adya = anomaly.adya() == null ? "" : " (" + anomaly.adya() + ")";
    out.text(
        MARGIN,
        y,
        "faint",
        SvgText.cut(
            "%s%s violates %s in history %s"
                .formatted(anomaly.kind(), adya, anomaly.level(), anomaly.history()),
            SvgText.chars(width - 2 * MARGIN)));
    return paragraph(MARGIN, y + LINE + 6, width, "", anomaly.explanation());
  }

  private int rows(int top) {
    int y = top;
    for (Box box : boxes.values()) {
      box.y = y + ROW_GAP / 2;
      y = box.y + box.height() + ROW_GAP / 2;
    }
    return y;
  }

  private void lanes(int top, int bottom) {
    for (Lane lane : lanes.values()) {
      out.rect(lane.x, top, lane.width, bottom - top, "lane");
      out.text(lane.x + PADDING, top + LINE, "faint", lane.name);
    }
  }

  private void draw(Box box) {
    String style = box.central ? "box central" : "box";
    out.begin("node");
    out.rect(box.lane.x + 2, box.y, box.lane.width - 4, box.height(), style);
    int y = box.y + PADDING + 6;
    for (int i = 0; i < box.lines.size(); i++) {
      out.text(box.lane.x + PADDING, y + i * LINE, i == 0 ? "name" : "", box.lines.get(i));
    }
    out.end();
  }

  private void edges(int lanesEnd) {
    int x = lanesEnd;
    for (Column column : columns) {
      x += gap();
      for (Track track : column.tracks) {
        edge(track, x);
      }
      x += column.width;
    }
  }

  private void edge(Track track, int x) {
    WitnessEdges.Edge edge = track.edge();
    Box from = at(edge.from());
    Box to = at(edge.to());
    int start = from.nextPort();
    int end = to.nextPort();
    out.edge(
        from.lane.x + from.lane.width - 2,
        start,
        x,
        to.lane.x + to.lane.width - 2,
        end,
        edge.isCycle() ? "edge" : "context",
        edge.isCycle() ? "head" : "context-head",
        edge.kind().label());
    out.label(
        x + LABEL_GAP,
        (start + end) / 2 + 4,
        (edge.isCycle() ? "number " : "faint ") + edge.kind().label(),
        track.label());
  }

  /** Why each edge of the cycle holds. */
  private int why(int top, int width, int notDrawn) {
    int y = top;
    List<Track> numbered =
        tracks.stream()
            .filter(track -> track.number() > 0)
            .sorted(Comparator.comparingInt(Track::number))
            .toList();
    for (Track track : numbered) {
      WitnessEdges.Edge edge = track.edge();
      y =
          paragraph(
              MARGIN,
              y,
              width,
              "number " + edge.kind().label(),
              "%s   %s → %s".formatted(track.label(), Dot.cut(edge.from()), Dot.cut(edge.to())));
      y = paragraph(MARGIN + 2 * PADDING, y, width, "", edge.because()) + 6;
    }
    if (notDrawn > 0) {
      String words = "%d more edges that lead up to it are not drawn".formatted(notDrawn);
      y = paragraph(MARGIN, y, width, "faint", words);
    }
    return y;
  }

  private int paragraph(int x, int top, int width, String style, String words) {
    int y = top;
    for (String line : SvgText.wrapped(words, SvgText.chars(width - MARGIN - x))) {
      out.text(x, y, style, line);
      y += LINE;
    }
    return y;
  }
}
