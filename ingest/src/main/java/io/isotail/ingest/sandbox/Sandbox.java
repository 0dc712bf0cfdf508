package io.isotail.ingest.sandbox;

/** What the broker and the database of this package are made of. */
public final class Sandbox {
  private Sandbox() {}

  /** Whether it is on the class path: an image that only serves does without. */
  public static boolean isInstalled() {
    ClassLoader loader = Sandbox.class.getClassLoader();
    return loader.getResource("kafka/server/KafkaRaftServer.class") != null
        && loader.getResource("io/zonky/test/db/postgres/embedded/EmbeddedPostgres.class") != null;
  }
}
