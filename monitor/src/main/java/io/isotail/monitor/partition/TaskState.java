package io.isotail.monitor.partition;

import io.isotail.incremental.snapshot.StateCut;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of a task as it was between two records. The task goes on while this is written.
 *
 * @param offset at which it stands
 * @param epoch the leader's epoch of the record before that
 * @param losses how often the task was told before that the log has lost something
 * @param parts what is still to be written of it, in order
 */
public record TaskState(long offset, Optional<Integer> epoch, long losses, List<StateCut> parts) {

  /**
   * Writes what {@link PartitionTask#restore} takes: once, on any thread, before the task is saved
   * again.
   */
  public List<byte[]> records() {
    List<byte[]> records = new ArrayList<>();
    parts.forEach(part -> part.write(records::add));
    return records;
  }
}
