package io.isotail.monitor.publish;

import io.isotail.incremental.anomaly.Anomaly;

/** Told of what this instance has published, on the pipeline's thread; must not block. */
public interface PublishListener {
  /** An anomaly was published for the first time; of one commit before all news. */
  void found(Anomaly anomaly);

  /** A cause or an incident was published, for the first time or once more. */
  default void told(News news) {}

  /** Tells another one after this. */
  default PublishListener and(PublishListener next) {
    PublishListener first = this;
    return new PublishListener() {
      @Override
      public void found(Anomaly anomaly) {
        first.found(anomaly);
        next.found(anomaly);
      }

      @Override
      public void told(News news) {
        first.told(news);
        next.told(news);
      }
    };
  }
}
