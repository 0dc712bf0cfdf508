package io.isotail.monitor.databases;

import java.io.IOException;
import java.util.List;
import java.util.Properties;

/** A database that runs until it is closed, and keeps nothing after that. */
interface DatabaseServer extends AutoCloseable {
  /** JDBC URLs: one, or that of each node of a cluster. */
  List<String> urls();

  /** Who connects; empty where the URL says enough. */
  default Properties credentials() {
    return new Properties();
  }

  /** Lets go of it in this JVM, so that another process can open it. */
  default void release() {}

  @Override
  void close() throws IOException;
}
