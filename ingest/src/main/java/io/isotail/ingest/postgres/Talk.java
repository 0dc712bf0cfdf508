package io.isotail.ingest.postgres;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where a conversation stands: what the server is still to answer, and which names stand for what.
 * For one thread.
 */
final class Talk {
  final WireServer server;
  final WireValues values = new WireValues();
  final Names names = new Names();
  final KeptValues kept = new KeptValues();
  final ArrayDeque<Awaited> awaited = new ArrayDeque<>();
  final ArrayDeque<Question> questions = new ArrayDeque<>();

  /** What is asked before the client's message goes on that is held; the last one. */
  @Nullable Check check;

  /** Whether the server has said what was no answer to a question: it is asked no more. */
  boolean speaksOutOfTurn;

  /** Whether the server skips what it gets until the next Sync: something before that failed. */
  boolean skipping;

  /** Whether the client has sent something that a Sync is to follow. */
  boolean unsynced;

  /** Whether the server takes what it gets for rows of a COPY, until the client ends that. */
  boolean copyingIn;

  /** How many Syncs the client has sent among the rows of the COPY. */
  int syncsInCopy;

  /** Finds out which of these were answered; null if that is known. */
  @Nullable CopySyncs copySyncs;

  private @Nullable Awaited heldFor;

  /** When the client has sent the first message of what is under way, by the records' clock. */
  long sinceNs;

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
   * Whether what is under way leaves what names and rights mean as it is, and ends no transaction,
   * whether the server does it or refuses it.
   */
  boolean changesNoMeaning() {
    if (unsynced || skipping || copyingIn) {
      return false;
    }
    for (Awaited each : awaited) {
      Prepared of = each.prepared();
      if (each.kind() != Awaited.Kind.SYNC && (of == null || !of.changesNoMeaning())) {
        return false;
      }
    }
    return true;
  }

  /**
   * The server skips all until the next Sync: takes what it skips out, and puts back what was taken
   * for done.
   *
   * @return the executions among what it skips
   */
  List<Portal> skip() {
    List<Portal> executions = new ArrayList<>();
    List<Awaited> skipped = new ArrayList<>();
    while (!awaited.isEmpty() && awaited.element().kind() != Awaited.Kind.SYNC) {
      Awaited next = awaited.remove();
      Portal portal = next.portal();
      boolean executes = next.kind() == Awaited.Kind.EXECUTE || next.endsWithReady();
      if (executes && portal != null) {
        executions.add(portal);
      }
      skipped.add(next);
    }
    for (int i = skipped.size() - 1; i >= 0; i--) {
      Undo undo = skipped.get(i).undo();
      if (undo != null) {
        undo.undo(i > 0);
      }
    }
    skipping = awaited.isEmpty();
    return executions;
  }

  /** A message of the client is about to be handled: the first of a group tells when that began. */
  void begins(long nowNs) {
    if (isQuiet()) {
      sinceNs = nowNs;
    }
  }

  /** Whether a statement that it is to execute passes a test. */
  boolean awaits(Predicate<Analysis> test) {
    for (Awaited each : awaited) {
      Portal portal = each.portal();
      Prepared of = each.prepared();
      AnalyzedSql sql = portal != null ? portal.followed() : of != null ? of.sql() : null;
      if (sql != null && test.test(sql.analysis())) {
        return true;
      }
    }
    return false;
  }

  /** Whether the server is to be ready for something that the client has sent. */
  boolean awaitsReady() {
    for (Awaited each : awaited) {
      if (each.endsWithReady() && each.kind() != Awaited.Kind.QUESTION) {
        return true;
      }
    }
    return false;
  }

  /** Whether a question is to be asked as soon as the client is in the middle of no message. */
  boolean owesCopySyncs() {
    return copySyncs != null && !copySyncs.isSent();
  }

  /** Asks which Syncs among the rows of a refused COPY the server has answered. */
  void findCopySyncs(Wires wires) {
    CopySyncs syncs = copySyncs;
    if (syncs != null) {
      holdFor(Awaited.of(Awaited.Kind.COPY_SYNCS));
      syncs.send(wires);
    }
  }

  /** The client is to be held until this is answered, or the server asks for rows. */
  void holdFor(@Nullable Awaited until) {
    heldFor = until;
  }

  /** Whether the client is to be held. */
  boolean holds() {
    if (heldFor != null && !awaited.contains(heldFor)) {
      heldFor = null;
    }
    return heldFor != null;
  }

  /** The server has answered the head. */
  void answered() {
    Undo undo = awaited.remove().undo();
    if (undo != null) {
      undo.done();
    }
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
    heldFor = null;
    syncsInCopy = 0;
    Iterator<Awaited> each = awaited.iterator();
    if (each.hasNext()) {
      each.next(); // The COPY itself.
    }
    while (copyingIn && each.hasNext()) {
      Awaited.Kind kind = each.next().kind();
      if (kind == Awaited.Kind.SYNC || kind == Awaited.Kind.COPY_END) {
        each.remove();
        syncsInCopy += kind == Awaited.Kind.SYNC ? 1 : 0;
      }
      copyingIn = kind != Awaited.Kind.COPY_END;
    }
  }
}
