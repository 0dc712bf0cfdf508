package io.isotail.monitor.render;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.anomaly.Proof.Edge;
import java.util.List;

/**
 * A proof as JSON: {@code {"badRead":…}}, {@code {"cycle":[…]}} or {@code {"split":…}} with a proof
 * in either case. Transactions are numbers: their places in the capsule, from 0, or {@code
 * "initial"}; operations their places in the transaction.
 */
final class ProofJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ProofJson() {}

  static ObjectNode of(Proof proof) {
    ObjectNode node = JSON.objectNode();
    if (proof instanceof Proof.Split split) {
      ObjectNode cases = node.putObject("split");
      put(cases, "a", split.a());
      put(cases, "b", split.b());
      cases.put("key", Long.toUnsignedString(split.key()));
      cases.set("ifFirst", of(split.ifFirst()));
      cases.set("ifSecond", of(split.ifSecond()));
    } else if (proof instanceof Proof.Cycle cycle) {
      edges(node.putArray("cycle"), cycle.edges());
    } else if (proof instanceof Proof.BadRead bad) {
      ObjectNode read = node.putObject("badRead");
      put(read, "reader", bad.reader());
      put(read, "operation", bad.operation());
      put(read, "ownWrite", bad.ownWrite());
      put(read, "writer", bad.writer());
    }
    return node;
  }

  private static void edges(ArrayNode array, List<Edge> edges) {
    for (Edge edge : edges) {
      ObjectNode node = array.addObject();
      put(node, "from", edge.from());
      put(node, "to", edge.to());
      node.put("kind", edge.kind().label());
      if (edge.kind() != EdgeKind.SO && edge.kind() != EdgeKind.RT) {
        node.put("key", Long.toUnsignedString(edge.key()));
      }
      put(node, "reader", edge.reader());
      put(node, "operation", edge.operation());
      put(node, "source", edge.source());
      if (!edge.because().isEmpty()) {
        edges(node.putArray("because"), edge.because());
      }
    }
  }

  private static void put(ObjectNode node, String field, int place) {
    if (place == Proof.INITIAL) {
      node.put(field, "initial");
    } else if (place != Proof.NONE) {
      node.put(field, place);
    }
  }
}
