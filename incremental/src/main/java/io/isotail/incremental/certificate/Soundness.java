package io.isotail.incremental.certificate;

import io.isotail.incremental.window.Transaction;
import org.jspecify.annotations.Nullable;

/** Whether the numbers of a certificate are as they must be; for assertions of tests. */
final class Soundness {
  private Soundness() {}

  /** True, or it throws what is wrong; with times, in O(n^2) of those that are placed. */
  static boolean of(Places places) {
    for (PlacedVersion first : places.initials()) {
      for (PlacedVersion version = first; ; version = version.next) {
        require(version.next.previous == version, "linked both ways", version);
        if (version.isLast()) {
          break;
        }
        Placed next = version.next.owner();
        require(next.versionOf(version.key) == version.next, "of its writer", version);
        require(
            version.writer == null || version.writer.commit < places.ends(next),
            "overwritten later",
            version);
      }
    }
    long last = Room.LEAST;
    for (Placed at = places.inWindow.first(); at != null; at = at.after) {
      require(last <= at.commit, "in the order of commits", at);
      require(
          places.one ? at.begin == at.commit : at.begin < at.commit, "begun before its commit", at);
      require(places.of(at.transaction) == at, "known of its transaction", at);
      last = at.commit;
      @Nullable Transaction before = at.transaction.soPrev;
      @Nullable Placed earlier = before == null ? null : places.of(before);
      require(
          earlier == null || earlier.commit < at.begin, "behind the one before in its session", at);
      for (Placed other = at; other != null; other = other.after) {
        require(
            places.realTime == null
                || !places.realTime.isBefore(other.transaction.times, at.transaction.times),
            "in the order of time, with " + other,
            at);
      }
      for (PlacedVersion version : at.wrote) {
        @Nullable Transaction replaced = at.transaction.replacedOf(version.key);
        @Nullable Placed writer = replaced == null ? null : places.of(replaced);
        require(
            writer == null || writer.versionOf(version.key) == null || version.isPinned(),
            "directly behind what it replaced",
            version);
      }
      for (PlacedVersion version : at.read) {
        require(version.readers > 0, "counted", version);
        require(version.writer == null || version.writer.commit < at.begin, "written before", at);
        // Of a version that was taken out nothing follows.
        Placed overwriter = version.next == version ? null : version.next.writer;
        require(
            overwriter == null || overwriter == at || at.begin < overwriter.commit,
            "overwritten after it was read",
            at + " of " + version + " before " + version.next);
        require(
            at.begin <= places.floor
                || (version.lastRead != null && version.lastRead.begin >= at.begin),
            "known to be read",
            at);
      }
    }
    return true;
  }

  private static void require(boolean holds, String what, Object of) {
    if (!holds) {
      throw new IllegalStateException("not " + what + ": " + of);
    }
  }
}
