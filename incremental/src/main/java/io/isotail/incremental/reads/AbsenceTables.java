package io.isotail.incremental.reads;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.objects.Object2IntLinkedOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Tables by number, and of which of them an absence has been read: writers are remembered by key in
 * these alone.
 *
 * <p>A key is of one table. What names no table, or one beyond {@link UnseenEffects#MAX_TABLES},
 * has the number {@link #ANY}: it may be of any. With more than {@link #MOST_ASKED} tables of which
 * absences are read, every table is one of them, since each that becomes one is looked for in all
 * that is remembered.
 */
final class AbsenceTables {
  /** Number of what may be of any table. */
  static final int ANY = 0;

  static final int MOST_ASKED = 64;

  /** No table has it. */
  private static final int NONE = -1;

  private final Object2IntLinkedOpenHashMap<String> numbers = new Object2IntLinkedOpenHashMap<>();

  /** Numbers of the tables of which an absence has been read. */
  private final IntOpenHashSet asked = new IntOpenHashSet(0);

  /** Whether every table is taken for one of them. */
  private boolean all;

  AbsenceTables() {
    numbers.defaultReturnValue(NONE);
  }

  /** Number of a table; of one that has none yet a number that no table has. */
  int find(@Nullable String table) {
    int known = table == null ? ANY : numbers.getInt(table);
    return known == NONE && numbers.size() == UnseenEffects.MAX_TABLES ? ANY : known;
  }

  /** Number of a table, which has one from now on. */
  int number(@Nullable String table) {
    int known = find(table);
    if (known != NONE || table == null) {
      return known;
    }
    numbers.put(table, numbers.size() + 1);
    return numbers.size();
  }

  /** Whether an absence of any table has been read. */
  boolean anyAsked() {
    return all || !asked.isEmpty();
  }

  /** Whether an absence has been read that may be of the table with this number. */
  boolean isAsked(int number) {
    return all || asked.contains(number) || (number == ANY && !asked.isEmpty());
  }

  /** An absence of the table with this number is read. */
  void ask(int number) {
    if (number == ANY || asked.size() == MOST_ASKED) {
      all = true;
    } else {
      asked.add(number);
    }
  }

  /** A copy that does not change. */
  AbsenceTables copy() {
    AbsenceTables copy = new AbsenceTables();
    copy.asked.addAll(asked);
    copy.all = all;
    return copy;
  }

  void save(StateWriter out) {
    out.count(numbers.size());
    numbers.keySet().forEach(out::text);
    int[] some = asked.toIntArray();
    Arrays.sort(some);
    out.numbers(some);
    out.flag(all);
  }

  /** Takes back what {@link #save} saved. */
  void load(StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      number(in.requiredText());
    }
    asked.addAll(IntList.of(in.smallNumbers()));
    all = in.flag();
  }
}
