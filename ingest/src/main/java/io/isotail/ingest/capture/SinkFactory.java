package io.isotail.ingest.capture;

import io.isotail.ingest.emit.TransactionSink;

/** Opens the stream that a configuration names. */
public interface SinkFactory {

  /** Opens a sink; must not wait for the network. */
  OpenSink open(CaptureConfig config);

  /** A sink in use, and how to end its use. */
  interface OpenSink {
    /** Where records go. */
    TransactionSink sink();

    /** Id of the proxy incarnation that the sink speaks for. */
    String proxyId();

    /** Says goodbye; called once, when the process has stopped using its connections. */
    void close();
  }
}
