package io.isotail.junit;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A checked test that runs, and which histories it has to do with: those that its own thread used,
 * or one that was started by that. What a thread did of which nobody knows the test, as one of a
 * pool, is of every test that ran meanwhile.
 *
 * <p>Safe for many threads, but for the marks, which are the test's own.
 */
final class TestRun {
  private static final InheritableThreadLocal<@Nullable TestRun> OF_THREAD =
      new InheritableThreadLocal<>();

  private static final Set<TestRun> RUNNING = ConcurrentHashMap.newKeySet();

  private final String name;
  private final Map<CheckedHistory, Mark> marks = new HashMap<>();
  private final Set<CheckedHistory> used = ConcurrentHashMap.newKeySet();
  private final Set<TestRun> beside = ConcurrentHashMap.newKeySet();
  private volatile boolean over;

  private TestRun(String name) {
    this.name = name;
  }

  /** A test begins on this thread. */
  static TestRun begin(String name) {
    TestRun test = new TestRun(name);
    for (TestRun other : RUNNING) {
      other.beside.add(test);
      test.beside.add(other);
    }
    RUNNING.add(test);
    OF_THREAD.set(test);
    return test;
  }

  /** It is over. */
  void end() {
    over = true;
    RUNNING.remove(this);
    OF_THREAD.remove();
  }

  /** The running test that this thread belongs to; null if that is not known. */
  static @Nullable TestRun ofThread() {
    TestRun test = OF_THREAD.get();
    return test == null || test.over ? null : test;
  }

  /** Whether a test runs. */
  static boolean any() {
    return !RUNNING.isEmpty();
  }

  /** This test, or somebody who belongs to it, has used a history. */
  void uses(CheckedHistory history) {
    used.add(history);
  }

  boolean used(CheckedHistory history) {
    return used.contains(history);
  }

  String name() {
    return name;
  }

  /** Where each history stood before it. */
  Map<CheckedHistory, Mark> marks() {
    return marks;
  }

  /** Names of the tests that ran beside it and may have had to do with a history. */
  Set<String> besideOn(CheckedHistory history) {
    Set<String> names = new TreeSet<>();
    for (TestRun other : beside) {
      if (other.used(history) || !used(history)) {
        names.add(other.name);
      }
    }
    return names;
  }
}
