package io.isotail.monitor.offline;

import io.isotail.incremental.level.IsolationLevel;
import java.util.Arrays;
import java.util.Iterator;

/** The names of the isolation levels, weakest first, for help texts and completion. */
public final class LevelNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return Arrays.stream(IsolationLevel.values()).map(IsolationLevel::label).iterator();
  }
}
