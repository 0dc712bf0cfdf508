package io.isotail.incremental.forecast;

import io.isotail.incremental.forecast.Meeting.Action;
import io.isotail.incremental.forecast.Meeting.Part;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of a meeting in every order that locks and snapshots allow, and tells each course
 * in which all executions commit and depend on each other in a circle. Orders that lead to the same
 * state are followed once.
 *
 * <p>An order in which an execution fails, gives up or waits for ever is not followed: what is left
 * of it is a smaller meeting.
 *
 * <p>Bound: {@link Limits#STATES} states.
 */
final class Interleavings {
  /** As the writer of a version: the row as it was before. */
  static final int INITIAL = -1;

  private static final int NOT_YET = -1;

  private final List<Part> parts;
  private final List<PartMoves> moves = new ArrayList<>();
  private final int items;

  /** Where each part's reads begin among all reads. */
  private final int[] firstRead;

  private final int reads;
  private final Set<State> visited = new HashSet<>();
  private final IdentityHashMap<StatementFacts, IdentityHashMap<StatementFacts, Boolean>> barred =
      new IdentityHashMap<>();
  private final IntArrayList order = new IntArrayList();
  private final Consumer<Course> found;
  private boolean limited;

  private Interleavings(Meeting meeting, Consumer<Course> found) {
    this.parts = meeting.parts();
    this.items = meeting.items();
    this.found = found;
    this.firstRead = new int[parts.size()];
    int count = 0;
    for (int part = 0; part < parts.size(); part++) {
      PartMoves own = new PartMoves(parts.get(part), items, meeting.rows());
      moves.add(own);
      firstRead[part] = count;
      count += own.reads();
    }
    this.reads = count;
  }

  /** Tells the courses of a meeting; returns whether all states were seen. */
  static boolean run(Meeting meeting, Consumer<Course> found) {
    Interleavings run = new Interleavings(meeting, found);
    run.follow(new State(meeting.parts().size(), run.reads), 0);
    return !run.limited;
  }

  /**
   * Where all executions stand. Which locks are held and which versions there are follows from it.
   */
  private static final class State {
    /** Steps that each part has done; one more when it has committed. */
    final int[] done;

    /** How many had committed when each part began; {@link #NOT_YET} before. */
    final int[] snapshot;

    /** The place of each part among those that have committed, from 1 on; or {@link #NOT_YET}. */
    final int[] committed;

    /** The writer of what each read returned. */
    final int[] read;

    int commits;

    State(int parts, int reads) {
      done = new int[parts];
      snapshot = filled(parts);
      committed = filled(parts);
      read = filled(reads);
    }

    State(State of) {
      done = of.done.clone();
      snapshot = of.snapshot.clone();
      committed = of.committed.clone();
      read = of.read.clone();
      commits = of.commits;
    }

    private static int[] filled(int size) {
      int[] array = new int[size];
      Arrays.fill(array, NOT_YET);
      return array;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof State state
          && Arrays.equals(done, state.done)
          && Arrays.equals(snapshot, state.snapshot)
          && Arrays.equals(committed, state.committed)
          && Arrays.equals(read, state.read);
    }

    @Override
    public int hashCode() {
      int hash = Arrays.hashCode(done);
      hash = 31 * hash + Arrays.hashCode(snapshot);
      hash = 31 * hash + Arrays.hashCode(committed);
      return 31 * hash + Arrays.hashCode(read);
    }
  }

  /** Follows a state, first with the part that did the latest step. */
  private void follow(State state, int latest) {
    if (visited.size() >= Limits.STATES) {
      limited = true;
      return;
    }
    if (!visited.add(state)) {
      return;
    }
    if (state.commits == parts.size()) {
      tell(state);
      return;
    }
    for (int i = 0; i < parts.size(); i++) {
      int part = (latest + i) % parts.size();
      State next = state.committed[part] == NOT_YET ? after(state, part) : null;
      if (next != null) {
        order.add(part);
        follow(next, part);
        order.removeInt(order.size() - 1);
      }
    }
  }

  /** The state after a part's next step; null if it cannot do it now, or does not commit then. */
  private @Nullable State after(State before, int part) {
    State state = new State(before);
    List<List<Action>> steps = parts.get(part).steps();
    int step = state.done[part]++;
    if (step == steps.size()) {
      state.committed[part] = ++state.commits;
      return state;
    }
    if (state.snapshot[part] == NOT_YET) {
      state.snapshot[part] = state.commits;
    }
    int read = firstRead[part] + moves.get(part).readsBefore(step);
    for (Action action : steps.get(step)) {
      if (!mayDo(before, part, action) || isMissing(before, part, action)) {
        return null;
      }
      if (PartMoves.isRead(action)) {
        state.read[read++] = version(before, part, action);
      }
    }
    return state;
  }

  private boolean mayDo(State state, int part, Action action) {
    boolean locks = moves.get(part).locks(action);
    if (locks && waits(state, part, action)) {
      return false;
    }
    if (action.touch().isRead()) {
      return !locks || !isChanged(state, part, action.row());
    }
    return !isChanged(state, part, action.row()) && hits(state, part, action);
  }

  /**
   * Whether a row that was found when the part ran is not there yet: another part makes it. An
   * application does something else then.
   */
  private boolean isMissing(State state, int part, Action action) {
    Touch.Kind kind = action.touch().kind();
    boolean found =
        action.item() >= 0
            && !action.guessed()
            && kind != Touch.Kind.READ_ABSENT
            && kind != Touch.Kind.INSERT;
    return found && isMadeByAnother(part, action.row()) && version(state, part, action) == INITIAL;
  }

  /** Whether the first change that another part makes to a row is to insert it. */
  private boolean isMadeByAnother(int part, int row) {
    for (int other = 0; other < parts.size(); other++) {
      if (other != part && moves.get(other).makes(row)) {
        return true;
      }
    }
    return false;
  }

  /** Whether another part holds a lock that excludes this one. */
  private boolean waits(State state, int part, Action action) {
    boolean shared = moves.get(part).locksShared(action);
    for (int other = 0; other < parts.size(); other++) {
      if (other != part
          && state.committed[other] == NOT_YET
          && moves.get(other).excludes(action.row(), shared, state.done[other])) {
        return true;
      }
    }
    return false;
  }

  /** Whether a row was changed since the snapshot of a part that fails then. */
  private boolean isChanged(State state, int part, int row) {
    if (!parts.get(part).behaviour().failsOnChange()) {
      return false;
    }
    int snapshot = state.snapshot[part] == NOT_YET ? state.commits : state.snapshot[part];
    for (int other = 0; other < parts.size(); other++) {
      if (other != part
          && state.committed[other] > snapshot
          && !moves.get(other).writesOf(row).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a write finds the row as its text asks for: an insert no row, another one a row that is
   * there and has what it compares with. That is what the row had when the part last read it, or
   * from the beginning.
   */
  private boolean hits(State state, int part, Action action) {
    int known = lastRead(state, part, action.row());
    for (int other = 0; other < parts.size(); other++) {
      if (other == part || state.committed[other] == NOT_YET) {
        continue;
      }
      boolean isKnown = state.committed[other] <= known;
      for (Action write : moves.get(other).writesOf(action.row())) {
        boolean gone = write.touch().kind() == Touch.Kind.DELETE;
        boolean made = write.touch().kind() == Touch.Kind.INSERT;
        boolean inserts = action.touch().kind() == Touch.Kind.INSERT;
        boolean barred = (inserts && made) || isBarred(action.step().facts(), write.step().facts());
        if ((!inserts && gone) || (barred && !isKnown)) {
          return false; // Who has seen that a row is gone changes it no more than others.
        }
      }
    }
    return true;
  }

  private boolean isBarred(StatementFacts by, StatementFacts write) {
    return barred
        .computeIfAbsent(by, facts -> new IdentityHashMap<>())
        .computeIfAbsent(write, by::isBarredBy);
  }

  /** The place of the latest commit that a part has seen of a row, 0 for none. */
  private int lastRead(State state, int part, int row) {
    int known = 0;
    for (PartMoves.Read read : moves.get(part).readsOf(row)) {
      int writer = state.read[firstRead[part] + read.number()];
      if (read.step() < state.done[part] && writer != INITIAL && writer != part) {
        known = Math.max(known, state.committed[writer]);
      }
    }
    return known;
  }

  /** The writer of the version that a read returns. */
  private int version(State state, int part, Action action) {
    if (moves.get(part).hasWritten(action.item(), state.done[part])) {
      return part;
    }
    Behaviour behaviour = parts.get(part).behaviour();
    boolean ofSnapshot = behaviour.hasSnapshot() && !action.locks();
    int asOf = ofSnapshot && state.snapshot[part] != NOT_YET ? state.snapshot[part] : state.commits;
    int writer = INITIAL;
    int latest = 0;
    for (int other = 0; other < parts.size(); other++) {
      int commit = state.committed[other];
      if (commit != NOT_YET
          && commit <= asOf
          && commit > latest
          && moves.get(other).writesItem(action.item())) {
        writer = other;
        latest = commit;
      }
    }
    return writer;
  }

  /** Tells a course if its parts depend on each other in a circle through all of them. */
  private void tell(State state) {
    int size = parts.size();
    boolean[][] edges = new boolean[size][size];
    Set<Step> stale = new HashSet<>();
    for (int part = 0; part < size; part++) {
      int read = firstRead[part];
      for (List<Action> step : parts.get(part).steps()) {
        for (Action action : step) {
          if (PartMoves.isRead(action)) {
            int from = state.read[read++];
            if (from != INITIAL && from != part) {
              edges[from][part] = true;
            }
            int seen = from == INITIAL ? 0 : state.committed[from];
            for (int other = 0; other < size; other++) {
              if (other != part
                  && from != part
                  && state.committed[other] > seen
                  && moves.get(other).writesItem(action.item())) {
                edges[part][other] = true;
                stale.add(action.step());
              }
            }
          }
        }
      }
      for (int other = 0; other < size; other++) {
        if (state.committed[other] > state.committed[part] && writeSame(part, other)) {
          edges[part][other] = true;
        }
      }
    }
    if (isCircle(edges)) {
      found.accept(
          new Course(parts, order.toIntArray(), state.committed.clone(), read(state), stale));
    }
  }

  private List<List<Integer>> read(State state) {
    List<List<Integer>> all = new ArrayList<>();
    for (int part = 0; part < parts.size(); part++) {
      List<Integer> own = new ArrayList<>();
      int end = part + 1 < parts.size() ? firstRead[part + 1] : reads;
      for (int read = firstRead[part]; read < end; read++) {
        own.add(state.read[read]);
      }
      all.add(own);
    }
    return all;
  }

  private boolean writeSame(int part, int other) {
    for (int item = 0; item < items; item++) {
      if (moves.get(part).writesItem(item) && moves.get(other).writesItem(item)) {
        return true;
      }
    }
    return false;
  }

  /** Whether each part reaches each other one. */
  private static boolean isCircle(boolean[][] edges) {
    int size = edges.length;
    for (int via = 0; via < size; via++) {
      for (int from = 0; from < size; from++) {
        for (int to = 0; to < size; to++) {
          edges[from][to] |= edges[from][via] && edges[via][to];
        }
      }
    }
    for (int part = 0; part < size; part++) {
      if (!edges[part][part]) {
        return false;
      }
    }
    for (int from = 0; from < size; from++) {
      for (int to = 0; to < size; to++) {
        if (!edges[from][to]) {
          return false;
        }
      }
    }
    return true;
  }
}
