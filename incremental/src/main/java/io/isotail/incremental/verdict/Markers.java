package io.isotail.incremental.verdict;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The latest markers of a history; older ones are forgotten. */
public final class Markers {
  /** Markers that are kept. */
  public static final int MAX_MARKERS = 50;

  private final Deque<Marker> latest = new ArrayDeque<>();

  /** None. */
  public Markers() {}

  /** One more, later than all others. */
  public void add(Marker marker) {
    if (latest.size() == MAX_MARKERS) {
      latest.removeFirst();
    }
    latest.add(marker);
  }

  /** All of them, the oldest first. */
  public List<Marker> all() {
    return List.copyOf(latest);
  }

  /** Saves them. */
  public void save(StateWriter out) {
    out.count(latest.size());
    for (Marker marker : latest) {
      marker.at().save(out);
      out.text(marker.text());
    }
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      latest.add(new Marker(Moment.load(in), in.requiredText()));
    }
    in.require(latest.size() <= MAX_MARKERS, "number of markers");
  }
}
