package io.isotail.ingest.chaos;

/** What is done to what stands around the proxies, and to them. */
enum Disturbance {
  KAFKA_KILLED("Kafka killed, and started again after up to 15 s"),
  KAFKA_FROZEN("Kafka stopped for up to 6 s, and continued"),
  SERVER_CRASHED("PostgreSQL stopped at once, and started again"),
  SESSIONS_ENDED("sessions in a transaction ended by the server"),
  CLIENT_KILLED("a client process killed"),
  PGBENCH_KILLED("a pgbench killed"),
  PROXY_STOPPED("a proxy stopped by SIGTERM, and started again"),
  PROXY_KILLED("a proxy killed, and started again");

  private final String words;

  Disturbance(String words) {
    this.words = words;
  }

  /** For people. */
  String words() {
    return words;
  }
}
