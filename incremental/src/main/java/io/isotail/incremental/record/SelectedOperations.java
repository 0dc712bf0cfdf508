package io.isotail.incremental.record;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the operations of a record in the same order, copied column by column, with the
 * statements and names that they had.
 */
final class SelectedOperations {
  private SelectedOperations() {}

  static Operations of(Operations all, BitSet selected) {
    int[] kept = placesOf(selected);
    int n = kept.length;
    byte[] flags = new byte[n];
    long[] keysAndVersions = new long[2 * n];
    long @Nullable [] replaced = replacedBy(all, kept);
    int @Nullable [] indexes = all.statements().isEmpty() ? null : new int[n];
    List<Statement> used = new ArrayList<>(0);
    for (int i = 0; i < n; i++) {
      int from = kept[i];
      flags[i] = all.flags[from];
      keysAndVersions[i] = all.key(from);
      keysAndVersions[n + i] = all.version(from);
      if (indexes != null) {
        indexes[i] = indexOf(used, all, from);
      }
    }
    return new Operations(
        flags,
        keysAndVersions,
        replaced,
        used.isEmpty() ? null : indexes,
        List.copyOf(used),
        namesOf(all.keyNames, kept),
        namesOf(all.versionNames, kept),
        all.database());
  }

  private static long @Nullable [] replacedBy(Operations all, int[] kept) {
    long[] replaced = null;
    for (int i = 0; i < kept.length && all.anyReplaced(); i++) {
      if (all.replaces(kept[i])) {
        replaced = replaced == null ? new long[kept.length] : replaced;
        replaced[i] = all.replaced(kept[i]);
      }
    }
    return replaced;
  }

  private static int[] placesOf(BitSet selected) {
    int[] places = new int[selected.cardinality()];
    int n = 0;
    for (int i = selected.nextSetBit(0); i >= 0; i = selected.nextSetBit(i + 1)) {
      places[n++] = i;
    }
    return places;
  }

  private static int indexOf(List<Statement> used, Operations all, int i) {
    if (all.statementIndex(i) < 0) {
      return -1;
    }
    Statement statement = all.statement(i);
    int index = used.indexOf(statement);
    if (index < 0) {
      index = used.size();
      used.add(statement);
    }
    return index;
  }

  private static String @Nullable [] namesOf(String @Nullable [] names, int[] kept) {
    if (names == null) {
      return null;
    }
    String[] all = new String[kept.length];
    boolean any = false;
    for (int i = 0; i < kept.length; i++) {
      all[i] = names[kept[i]];
      any |= all[i] != null;
    }
    return any ? all : null;
  }
}
