package io.isotail.monitor.publish;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a group's committed offset of an events partition tells beside the offset, at which the
 * saved state stands; written as {@code isotail 4 name=number …}.
 *
 * @param published every anomaly that the records before this offset complete is published
 * @param epoch the leader's epoch of the record before that, -1 if it is not known: records of
 *     later epochs that stand there now were written in place of lost ones
 * @param partitions number of partitions of the events topic, by which histories are spread
 * @param slot which of two places on the state topic holds the state; the other is written next
 * @param first offset of the state's first record on the state topic; -1 if there is no state yet
 * @param last offset of its last record, the manifest
 * @param records number of records of the state, without the manifest
 * @param otherRecords the same of the other place
 * @param attempt tells commits apart that say the same otherwise
 */
public record CheckpointMetadata(
    long published,
    int epoch,
    int partitions,
    int slot,
    long first,
    long last,
    int records,
    int otherRecords,
    long attempt) {
  private static final Pattern TEXT =
      Pattern.compile(
          "isotail 4 published=(\\d+) epoch=(-?\\d+) partitions=(\\d+) slot=([01]) first=(-?\\d+) last=(-?\\d+)"
              + " records=(\\d+) other=(\\d+) attempt=(-?\\d+)");

  /** Before anything was saved. */
  public static CheckpointMetadata none(int partitions) {
    return new CheckpointMetadata(0, -1, partitions, 1, -1, -1, 0, 0, 0);
  }

  /** Whether a state was saved. */
  public boolean hasState() {
    return first >= 0;
  }

  /** This state, with something else published, by another attempt. */
  public CheckpointMetadata withPublished(long upTo, int leaderEpoch, long by) {
    return new CheckpointMetadata(
        upTo, leaderEpoch, partitions, slot, first, last, records, otherRecords, by);
  }

  /**
   * What is published stays as this says; where the state stands is taken from another one.
   *
   * @param written as {@link StateTopic#write} returned it
   */
  public CheckpointMetadata withStateOf(CheckpointMetadata written) {
    return new CheckpointMetadata(
        published,
        epoch,
        partitions,
        written.slot,
        written.first,
        written.last,
        written.records,
        written.otherRecords,
        attempt);
  }

  /** As it is committed. */
  public String text() {
    return "isotail 4 "
        + "published=%d epoch=%d partitions=%d slot=%d first=%d last=%d records=%d other=%d attempt=%d"
            .formatted(
                published, epoch, partitions, slot, first, last, records, otherRecords, attempt);
  }

  /** What was committed; empty if it is none of this, or of a later version. */
  public static Optional<CheckpointMetadata> parse(String text) {
    Matcher numbers = TEXT.matcher(text);
    if (!numbers.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new CheckpointMetadata(
              Long.parseLong(numbers.group(1)),
              Integer.parseInt(numbers.group(2)),
              Integer.parseInt(numbers.group(3)),
              Integer.parseInt(numbers.group(4)),
              Long.parseLong(numbers.group(5)),
              Long.parseLong(numbers.group(6)),
              Integer.parseInt(numbers.group(7)),
              Integer.parseInt(numbers.group(8)),
              Long.parseLong(numbers.group(9))));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
