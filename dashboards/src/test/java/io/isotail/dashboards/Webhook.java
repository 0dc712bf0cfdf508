package io.isotail.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Where Alertmanager sends what would go to a person. */
final class Webhook implements AutoCloseable {
  private final HttpServer server;
  private final List<JsonNode> messages = new CopyOnWriteArrayList<>();

  Webhook() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    messages.add(new ObjectMapper().readTree(exchange.getRequestBody()));
    exchange.sendResponseHeaders(204, -1);
    exchange.close();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Every time that an alert of this name was sent as firing. */
  List<JsonNode> fired(String alert) {
    List<JsonNode> fired = new ArrayList<>();
    for (JsonNode message : messages) {
      for (JsonNode each : message.path("alerts")) {
        if (each.at("/labels/alertname").asText().equals(alert)
            && each.path("status").asText().equals("firing")) {
          fired.add(each);
        }
      }
    }
    return fired;
  }

  /** The first alert of this name, as soon as it has come. */
  JsonNode await(String alert, long seconds) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (fired(alert).isEmpty()) {
      if (System.nanoTime() > deadlineNs) {
        throw new AssertionError(
            "%s was not sent within %d s; sent: %s".formatted(alert, seconds, messages));
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return fired(alert).get(0);
  }

  /** Addresses of the Alertmanagers that have sent something, as they tell them. */
  Set<String> senders() {
    Set<String> senders = new TreeSet<>();
    messages.forEach(message -> senders.add(message.path("externalURL").asText()));
    return senders;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
