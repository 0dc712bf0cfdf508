package io.isotail.ingest.postgres;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a conversation stands: what the server is still to answer, and which names stand for what.
 * For one thread.
 */
final class Talk {
  final WireServer server;
  final WireValues values = new WireValues();
  final Names names = new Names();
  final ArrayDeque<Awaited> awaited = new ArrayDeque<>();
  final ArrayDeque<Question> questions = new ArrayDeque<>();

  /** Whether the server skips what it gets until the next Sync: something before that failed. */
  boolean skipping;

  /** Whether the client has sent something that a Sync is to follow. */
  boolean unsynced;

  /** Whether the server takes what it gets for rows of a COPY, until the client ends that. */
  boolean copyingIn;

  /** What executes; null before the capture of the session has begun. */
  @Nullable Executions executions;

  Talk(WireServer server) {
    this.server = server;
  }

  /** Whether nothing is under way: the server has answered all, and no Sync is owed to it. */
  boolean isQuiet() {
    return awaited.isEmpty() && !unsynced && !skipping && !copyingIn;
  }

  /**
   * The server skips all until the next Sync: takes what it skips out, and puts back what was taken
   * for done.
   *
   * @return the executions among what it skips
   */
  List<Portal> skip() {
    List<Portal> executions = new ArrayList<>();
    List<Runnable> undo = new ArrayList<>();
    while (!awaited.isEmpty() && !awaited.element().endsWithReady()) {
      Awaited skipped = awaited.remove();
      Portal portal = skipped.portal();
      if (skipped.kind() == Awaited.Kind.EXECUTE && portal != null) {
        executions.add(portal);
      }
      Runnable back = skipped.undo();
      if (back != null) {
        undo.add(0, back);
      }
    }
    undo.forEach(Runnable::run);
    Awaited next = awaited.peek();
    skipping = next == null || next.kind() != Awaited.Kind.SYNC;
    return executions;
  }

  /** What the server answers next; null if nothing is awaited. */
  @Nullable Awaited head() {
    while (!awaited.isEmpty() && awaited.element().kind() == Awaited.Kind.COPY_END) {
      awaited.remove(); // No rows were asked for: the server takes no notice of it.
    }
    return awaited.peek();
  }

  /** Whether the server executes this before it is ready next. */
  boolean executesBeforeReady(Portal portal) {
    for (Awaited each : awaited) {
      if (each.portal() == portal
          && (each.kind() == Awaited.Kind.EXECUTE || each.endsWithReady())) {
        return true;
      }
      if (each.endsWithReady()) {
        return false;
      }
    }
    return false;
  }

  /**
   * The server asks for the rows of a COPY. It takes no notice of a Sync before their end, which
   * the client may have sent already.
   */
  void copyIn() {
    copyingIn = true;
    Iterator<Awaited> each = awaited.iterator();
    if (each.hasNext()) {
      each.next(); // The COPY itself.
    }
    while (copyingIn && each.hasNext()) {
      Awaited.Kind kind = each.next().kind();
      if (kind == Awaited.Kind.SYNC || kind == Awaited.Kind.COPY_END) {
        each.remove();
      }
      copyingIn = kind != Awaited.Kind.COPY_END;
    }
  }
}
