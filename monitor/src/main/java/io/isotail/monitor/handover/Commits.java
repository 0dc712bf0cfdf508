package io.isotail.monitor.handover;

import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.partition.Checkpoints;
import io.isotail.monitor.partition.PartitionTask;
import io.isotail.monitor.publish.Finding;
import io.isotail.monitor.publish.News;
import io.isotail.monitor.publish.PublishListener;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commits of one session after the other: which is due, and what follows from one that was
 * made. After one that failed nothing more is committed over the session. Owned by the pipeline's
 * thread.
 */
final class Commits {
  private static final Logger log = LoggerFactory.getLogger(Commits.class);

  /** Progress without a finding is committed so often, so that little is counted again. */
  private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(1);

  private final MonitorMetrics metrics;
  private final PublishListener listener;
  private final Checkpoints checkpoints;
  private boolean broken;
  private long nextProgressNs;

  /**
   * Nothing was committed yet.
   *
   * @param listener told of what each commit has published
   */
  Commits(MonitorMetrics metrics, PublishListener listener, Checkpoints checkpoints, long nowNs) {
    this.metrics = metrics;
    this.listener = listener;
    this.checkpoints = checkpoints;
    this.nextProgressNs = nowNs;
  }

  /** A new session begins. */
  void begin() {
    broken = false;
  }

  /** Nothing more is committed over the session. */
  void breakOff() {
    broken = true;
  }

  /** Whether nothing more is committed over the session. */
  boolean broken() {
    return broken;
  }

  /** Commits what is due; a state that is due is saved, and committed when the broker has it. */
  void due(KafkaSession open, Collection<PartitionTask> assigned, long nowNs)
      throws InterruptedException {
    StateUpload sent = sent(open, assigned);
    boolean progress = nowNs - nextProgressNs >= 0;
    List<PartitionTask> due =
        Checkpoints.due(assigned, sent == null ? null : sent.task(), progress);
    if (progress) {
      nextProgressNs = nowNs + PROGRESS_NS;
    }
    commit(open, due, sent);
    if (open.committer().upload() == null) {
      PartitionTask stateDue = checkpoints.stateDue(assigned, nowNs);
      if (stateDue != null) {
        begin(open, stateDue);
      }
    }
  }

  /** The state that the broker has, to be committed; null if there is none. */
  private @Nullable StateUpload sent(KafkaSession open, Collection<PartitionTask> assigned)
      throws InterruptedException {
    StateUpload upload = open.committer().upload();
    if (upload == null || !upload.isDone()) {
      return null;
    }
    boolean owned = assigned.stream().anyMatch(task -> task == upload.task());
    if (owned && upload.task().isSound(upload.state())) {
      return upload;
    }
    abandon(open);
    return null;
  }

  private void abandon(KafkaSession open) throws InterruptedException {
    broken = true;
    open.committer().abandon();
    broken = false;
  }

  private StateUpload begin(KafkaSession open, PartitionTask task) {
    broken = true;
    StateUpload begun = open.committer().begin(task);
    broken = false;
    return begun;
  }

  /**
   * What was found first, then one state after the other: each that is saved is one less to lose.
   */
  void all(KafkaSession open, List<PartitionTask> leaving) throws InterruptedException {
    abandon(open);
    boolean made = commit(open, leaving.stream().filter(task -> !task.mustSave()).toList(), null);
    for (PartitionTask task : leaving) {
      if (made && (task.mustSave() || task.position() > task.stateOffset())) {
        made = commit(open, List.of(task), begin(open, task));
      }
    }
  }

  /**
   * Makes one commit.
   *
   * @param withState the state that is part of it, or null
   * @return whether it was made
   */
  private boolean commit(
      KafkaSession open, List<PartitionTask> due, @Nullable StateUpload withState)
      throws InterruptedException {
    if (due.isEmpty()) {
      return true;
    }
    long startNs = System.nanoTime();
    broken = true;
    boolean made = false;
    try {
      made = open.committer().commit(due, withState, open.consumer().groupMetadata());
      broken = false;
    } finally {
      if (withState != null) {
        noteSaving(withState, made, startNs);
      }
    }
    if (made) {
      due.forEach(task -> made(open, task));
    } else {
      due.forEach(PartitionTask::failed);
    }
    return made;
  }

  private void noteSaving(StateUpload saved, boolean made, long startNs) {
    long nowNs = System.nanoTime();
    if (made) {
      long stoodStillNs = saved.tookNs() + nowNs - startNs;
      metrics.stateSaved(stoodStillNs / 1e9);
      checkpoints.saved(saved.task().partition(), stoodStillNs, saved.writingNs().get(), nowNs);
    } else {
      checkpoints.failed(nowNs);
    }
  }

  /** A commit of a task was made: what it has published is this instance's own. */
  void made(KafkaSession open, PartitionTask task) {
    List<Finding> findings = task.succeeded();
    task.publishedNews().forEach(open.feed()::await);
    long nowNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    for (Finding finding : findings) {
      metrics.published(finding.anomaly(), nowNs);
      open.feed().await(finding.anomaly().id());
      tell(finding.anomaly().id(), () -> listener.found(finding.anomaly()));
    }
    for (News news : task.publishedNews()) {
      tell(news.about().id(), () -> listener.told(news));
    }
  }

  private static void tell(String id, Runnable listener) {
    try {
      listener.run();
    } catch (RuntimeException e) { // the listener's fault, not the checker's
      log.error("the listener failed on {}", id, e);
    }
  }
}
