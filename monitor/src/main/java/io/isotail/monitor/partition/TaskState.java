package io.isotail.monitor.partition;

import java.util.List;
import java.util.Optional;

/**
 * The state of a task as it was between two records. The task goes on while this is written.
 *
 * @param offset at which it stands
 * @param epoch the leader's epoch of the record before that
 * @param losses how often the task was told before that the log has lost something
 * @param records what {@link PartitionTask#restore} takes; must not be changed
 */
public record TaskState(long offset, Optional<Integer> epoch, long losses, List<byte[]> records) {}
