package io.isotail.incremental.events;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import java.util.Comparator;
import java.util.List;

/**
 * Puts into force what list reads show of the order of versions: who wrote the earlier of two
 * neighbours commits before who wrote the later one, and nobody else's version stands between.
 *
 * <p>What is shown waits for both writers, whichever comes last, and ends when the transaction
 * whose list shows it leaves.
 */
final class ListReads {
  private ListReads() {}

  /** Takes what the list reads of a new member show, unless the read is bad or undecided. */
  static void add(LevelGraph graph, Member member) {
    Operations ops = member.txn.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (member.txn.showsSuccession(i)) {
        KeyVersions versions = graph.versions(ops.key(i));
        if (versions.lists == null) {
          versions.lists = new KeyLists(versions);
        }
        boolean initial = ops.versionKind(i) == VersionKind.INITIAL;
        Succession shown =
            new Succession(
                member, versions, initial, initial ? 0 : ops.version(i), ops.version(i + 1));
        if (versions.lists.add(shown)) {
          member.shows.add(shown);
          enforce(graph, List.of(shown));
        }
      }
    }
    member.shows.sort(Comparator.comparingLong(shown -> shown.key.key));
  }

  /** Puts into force what both writers are there for. */
  static void enforce(LevelGraph graph, List<Succession> all) {
    for (Succession shown : all) {
      KeyLists lists = shown.key.lists;
      VersionSlot earlier = lists == null ? null : lists.earlier(shown);
      VersionSlot later = lists == null ? null : lists.later(shown);
      if (shown.inForce != null
          || earlier == null
          || later == null
          || later.writer == null
          || earlier == later) {
        continue;
      }
      if (earlier.writer != null) {
        shown.ww = graph.wantOverwriting(earlier.writer, later.writer, shown.key.key);
      }
      Reading behind = new Reading(later.writer, earlier, shown);
      earlier.readers.add(behind);
      later.writer.reads.add(behind);
      shown.inForce = behind;
      graph.connect(behind);
    }
  }

  /** Takes the order of the two writers out. */
  static void notInForce(Succession shown) {
    shown.inForce = null;
    if (shown.ww != null) {
      shown.ww.remove();
      shown.ww = null;
    }
  }

  /** Forgets what a member's lists show. */
  static void forgetShownBy(LevelGraph graph, Member member) {
    for (Succession shown : member.shows) {
      if (shown.inForce != null) {
        graph.takeOut(shown.inForce);
      }
      KeyLists lists = shown.key.lists;
      if (lists != null) {
        lists.remove(shown);
        if (lists.all.isEmpty()) {
          shown.key.lists = null;
          graph.forgetIfEmpty(shown.key);
        }
      }
    }
    member.shows.clear();
  }
}
