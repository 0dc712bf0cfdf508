package io.isotail.ingest.sandbox;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Settings of a one-node KRaft broker that starts fast and takes little. */
final class BrokerSettings {
  static final int NODE_ID = 1;

  private BrokerSettings() {}

  static Map<String, String> of(String host, int port, int controllerPort, Path dataDir) {
    Map<String, String> settings = new HashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", Integer.toString(NODE_ID));
    settings.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controllerPort);
    settings.put(
        "listeners",
        "PLAINTEXT://%s:%d,CONTROLLER://127.0.0.1:%d".formatted(host, port, controllerPort));
    settings.put("advertised.listeners", "PLAINTEXT://%s:%d".formatted(host, port));
    settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("inter.broker.listener.name", "PLAINTEXT");
    settings.put("log.dirs", dataDir.toString());

    settings.put("num.partitions", "1");
    settings.put("default.replication.factor", "1");
    settings.put("min.insync.replicas", "1");
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("share.coordinator.state.topic.num.partitions", "1");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    // The checker's stream time is the time of append, whatever the clients' clocks say.
    settings.put("log.message.timestamp.type", "LogAppendTime");

    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("controller.quorum.election.timeout.ms", "100");
    settings.put("controller.quorum.fetch.timeout.ms", "2000");
    settings.put("broker.heartbeat.interval.ms", "100");
    // How long a broker that was killed is still believed alive, and its successor refused.
    settings.put("broker.session.timeout.ms", "3000");
    settings.put("initial.broker.registration.timeout.ms", "30000");

    settings.put("num.network.threads", "2");
    settings.put("num.io.threads", "2");
    settings.put("background.threads", "1");
    settings.put("num.replica.fetchers", "1");
    settings.put("num.recovery.threads.per.data.dir", "1");
    settings.put("log.cleaner.threads", "1");
    settings.put("log.cleaner.dedupe.buffer.size", "2097152");
    return settings;
  }
}
