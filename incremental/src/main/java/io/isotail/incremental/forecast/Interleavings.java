package io.isotail.incremental.forecast;

import io.isotail.incremental.forecast.Meeting.Action;
import io.isotail.incremental.forecast.Meeting.Part;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
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
  private final int items;

  /** Where each part's reads begin among all reads. */
  private final int[] firstRead;

  private final int reads;
  private final Set<State> visited = new HashSet<>();
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
      firstRead[part] = count;
      for (List<Action> step : parts.get(part).steps()) {
        count += (int) step.stream().filter(Interleavings::isRead).count();
      }
    }
    this.reads = count;
  }

  /** Tells the courses of a meeting; returns whether all states were seen. */
  static boolean run(Meeting meeting, Consumer<Course> found) {
    Interleavings run = new Interleavings(meeting, found);
    run.follow(new State(meeting.parts().size(), run.reads), 0);
    return !run.limited;
  }

  static boolean isRead(Action action) {
    return action.item() >= 0 && action.touch().isRead();
  }

  static boolean isWrite(Action action) {
    return action.item() >= 0 && !action.touch().isRead();
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
    int read = firstRead[part];
    for (int earlier = 0; earlier < step; earlier++) {
      read += (int) steps.get(earlier).stream().filter(Interleavings::isRead).count();
    }
    for (Action action : steps.get(step)) {
      if (!mayDo(before, part, action) || isMissing(before, part, action)) {
        return null;
      }
      if (isRead(action)) {
        state.read[read++] = version(before, part, action);
      }
    }
    return state;
  }

  private boolean mayDo(State state, int part, Action action) {
    boolean locks = locks(part, action);
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
      if (other != part
          && parts.get(other).steps().stream()
              .flatMap(List::stream)
              .filter(action -> action.row() == row && !action.touch().isRead())
              .findFirst()
              .filter(first -> first.touch().kind() == Touch.Kind.INSERT)
              .isPresent()) {
        return true;
      }
    }
    return false;
  }

  private boolean locks(int part, Action action) {
    return action.locks() || parts.get(part).behaviour() == Behaviour.LOCKING_READS;
  }

  private boolean locksShared(int part, Action action) {
    return action.touch().isRead()
        && (action.locksShared()
            || (parts.get(part).behaviour() == Behaviour.LOCKING_READS && !action.locks()));
  }

  /** Whether another part holds a lock that excludes this one. */
  private boolean waits(State state, int part, Action action) {
    for (int other = 0; other < parts.size(); other++) {
      if (other == part || state.committed[other] != NOT_YET) {
        continue;
      }
      for (int step = 0; step < state.done[other]; step++) {
        for (Action held : parts.get(other).steps().get(step)) {
          boolean both = held.row() == action.row() && locks(other, held);
          if (both && !(locksShared(other, held) && locksShared(part, action))) {
            return true;
          }
        }
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
      if (other != part && state.committed[other] > snapshot && writesRow(other, row)) {
        return true;
      }
    }
    return false;
  }

  private boolean writesRow(int part, int row) {
    for (List<Action> step : parts.get(part).steps()) {
      for (Action action : step) {
        if (action.row() == row && !action.touch().isRead()) {
          return true;
        }
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
      for (List<Action> step : parts.get(other).steps()) {
        for (Action write : step) {
          if (write.row() != action.row() || write.touch().isRead()) {
            continue;
          }
          boolean gone = write.touch().kind() == Touch.Kind.DELETE;
          boolean made = write.touch().kind() == Touch.Kind.INSERT;
          boolean inserts = action.touch().kind() == Touch.Kind.INSERT;
          boolean barred =
              (inserts && made) || action.step().facts().isBarredBy(write.step().facts());
          if ((!inserts && gone) || (barred && !isKnown)) {
            return false; // Who has seen that a row is gone changes it no more than others.
          }
        }
      }
    }
    return true;
  }

  /** The place of the latest commit that a part has seen of a row, 0 for none. */
  private int lastRead(State state, int part, int row) {
    int known = 0;
    int read = firstRead[part];
    List<List<Action>> steps = parts.get(part).steps();
    for (int step = 0; step < state.done[part] && step < steps.size(); step++) {
      for (Action action : steps.get(step)) {
        if (isRead(action)) {
          int writer = state.read[read++];
          if (action.row() == row && writer != INITIAL && writer != part) {
            known = Math.max(known, state.committed[writer]);
          }
        }
      }
    }
    return known;
  }

  /** The writer of the version that a read returns. */
  private int version(State state, int part, Action action) {
    List<List<Action>> own = parts.get(part).steps();
    for (int step = 0; step < state.done[part]; step++) {
      if (writesItem(own.get(step), action.item())) {
        return part;
      }
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
          && writesItem(other, action.item())) {
        writer = other;
        latest = commit;
      }
    }
    return writer;
  }

  private boolean writesItem(int part, int item) {
    return parts.get(part).steps().stream().anyMatch(step -> writesItem(step, item));
  }

  private static boolean writesItem(List<Action> step, int item) {
    return step.stream().anyMatch(action -> action.item() == item && isWrite(action));
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
          if (isRead(action)) {
            int from = state.read[read++];
            if (from != INITIAL && from != part) {
              edges[from][part] = true;
            }
            int seen = from == INITIAL ? 0 : state.committed[from];
            for (int other = 0; other < size; other++) {
              if (other != part
                  && from != part
                  && state.committed[other] > seen
                  && writesItem(other, action.item())) {
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
      if (writesItem(part, item) && writesItem(other, item)) {
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
