package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.OpenTransactions;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.postgres.Conversation;
import io.isotail.ingest.postgres.Message;
import io.isotail.ingest.postgres.Wires;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.sql.ObservedTables;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a conversation may do to a connection. The server answers each message with the same. */
final class ConversationIT {
  /** More connections than the proxy has threads for either kind of work. */
  private static final int MANY = 40;

  private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();
  private ScriptedServer server;
  private ProxyServer proxy;
  private Socket client;

  @BeforeEach
  void start() throws IOException {
    server =
        new ScriptedServer(
            ScriptedServer.welcoming(
                socket -> socket.getInputStream().transferTo(socket.getOutputStream())));
  }

  private void converse(Conversation conversation, String... more) throws IOException {
    proxy =
        ProxyServer.start(
            ProxyConfig.of(new Address("127.0.0.1", 0), server.address()),
            (parameters, host) -> {
              assertThat(parameters).containsEntry("user", "ann");
              assertThat(host).isEqualTo(server.address().toString());
              return conversation;
            });
    client = connect(more);
  }

  private Socket connect(String... more) throws IOException {
    Socket connected = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    connected.setSoTimeout(20_000);
    List<String> parameters = new ArrayList<>(List.of("user", "ann"));
    parameters.addAll(List.of(more));
    connected.getOutputStream().write(Packets.startUp(parameters.toArray(String[]::new)));
    connected.getInputStream().readNBytes(Packets.WELCOME.length);
    return connected;
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    Await.until("no connection is left", () -> proxy.stats().open() == 0);
    assertThat(proxy.stats().get(Count.INTERNAL_FAILURES)).isZero();
    proxy.close();
    server.close();
  }

  private void send(String... texts) throws IOException {
    List<byte[]> queries = new ArrayList<>();
    for (String text : texts) {
      queries.add(Packets.query(text));
    }
    client.getOutputStream().write(Packets.join(queries.toArray(byte[][]::new)));
  }

  private String receive() throws IOException {
    byte[] message = Packets.readMessage(client.getInputStream());
    return new String(message, 5, message.length - 6, StandardCharsets.UTF_8);
  }

  private static String text(Message message) {
    return message.text(Message.BODY);
  }

  /** Passes everything on, and looks at queries of the client. */
  private class Passing implements Conversation {
    @Override
    public boolean looksAtClient(byte type, int length) {
      return type == 'Q';
    }

    @Override
    public boolean looksAtServer(byte type, int length) {
      return false;
    }

    @Override
    public void fromClient(Message message, Wires wires) {
      wires.toServer(message.array(), message.offset(), message.length());
    }

    @Override
    public void fromServer(Message message, Wires wires) {
      wires.toClient(message.array(), message.offset(), message.length());
    }

    @Override
    public void closed(boolean byClient) {
      closed.add(byClient ? "by client" : "by server");
    }

    @Override
    public boolean isIdle() {
      return false;
    }
  }

  @Test
  void aHeldClientIsNotShownUntilItIsReleased() throws Exception {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    BlockingQueue<String> shown = new LinkedBlockingQueue<>();
    converse(
        new Passing() {
          @Override
          public void fromClient(Message message, Wires wires) {
            shown.add(text(message));
            byte[] bytes = Packets.query(text(message));
            if (!text(message).equals("ask")) {
              wires.toServer(bytes, 0, bytes.length);
              return;
            }
            wires.holdClient();
            wires.work(
                () -> await(mayGoOn),
                () -> {
                  byte[] asked = Packets.query("asked");
                  wires.toServer(asked, 0, asked.length);
                  wires.toServer(bytes, 0, bytes.length);
                  wires.releaseClient();
                });
          }
        });
    send("before", "ask", "after");
    assertThat(receive()).isEqualTo("before");
    send("later");
    assertThat(shown).containsExactly("before", "ask");
    mayGoOn.countDown();
    assertThat(receive()).isEqualTo("asked");
    assertThat(receive()).isEqualTo("ask");
    assertThat(receive()).isEqualTo("after");
    assertThat(receive()).isEqualTo("later");
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(20, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nothing came");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aClientMayBeReleasedByWhatTheServerSays() throws Exception {
    converse(
        new Passing() {
          @Override
          public boolean looksAtServer(byte type, int length) {
            return type == 'Q';
          }

          @Override
          public void fromClient(Message message, Wires wires) {
            wires.holdClient();
            super.fromClient(message, wires);
          }

          @Override
          public void fromServer(Message message, Wires wires) {
            super.fromServer(message, wires);
            wires.releaseClient();
          }
        });
    send("one", "two", "three");
    assertThat(receive()).isEqualTo("one");
    assertThat(receive()).isEqualTo("two");
    assertThat(receive()).isEqualTo("three");
  }

  @Test
  void replicationPassesThroughUnseen() throws Exception {
    BlockingQueue<String> shown = new LinkedBlockingQueue<>();
    converse(
        new Passing() {
          @Override
          public void fromClient(Message message, Wires wires) {
            shown.add(text(message));
            super.fromClient(message, wires);
          }
        },
        "replication",
        "database");
    send("IDENTIFY_SYSTEM");
    assertThat(receive()).isEqualTo("IDENTIFY_SYSTEM");
    assertThat(shown).isEmpty();
    client.close();
    Await.until("it is over", () -> proxy.stats().open() == 0);
    assertThat(closed).isEmpty();
  }

  @Test
  void aSessionThatBecomesIdleIsEndedWhenTheProxyStops() throws Exception {
    converse(new Sight.Everything());
    send("BEGIN");
    assertThat(receive()).isEqualTo("BEGIN");
    Thread drain = new Thread(() -> proxy.drain(Duration.ofSeconds(60)));
    drain.start();
    Await.until("it listens no more", () -> !proxy.isListening());
    send("SELECT 1");
    assertThat(receive()).isEqualTo("SELECT 1");
    // The server echoes what it is sent: that it is ready, and in no transaction.
    client.getOutputStream().write(Replies.message('Z', new byte[] {'I'}));
    assertThat((char) Packets.readMessage(client.getInputStream())[0]).isEqualTo('Z');
    byte[] error = Packets.readMessage(client.getInputStream());
    assertThat(Packets.field(error, 'C')).isEqualTo("57P01");
    drain.join();
  }

  @Test
  void aStopPutsNothingIntoTheMiddleOfAMessage() throws Exception {
    byte[] half = {'Q', 0, 0, 0, 9, 'a', 'b'};
    BlockingQueue<Integer> received = new LinkedBlockingQueue<>();
    server.close();
    server =
        new ScriptedServer(
            ScriptedServer.welcoming(
                socket -> {
                  socket.getOutputStream().write(socket.getInputStream().readNBytes(half.length));
                  received.add(socket.getInputStream().readAllBytes().length);
                }));
    converse(Conversation.UNSEEN);
    client.getOutputStream().write(half);
    assertThat(client.getInputStream().readNBytes(half.length)).isEqualTo(half);
    proxy.drain(Duration.ofMillis(50));
    assertThat(client.getInputStream().readAllBytes()).isEmpty();
    assertThat(received.poll(20, TimeUnit.SECONDS)).isZero();
  }

  @Test
  void workRunsInOrderAndWhatFollowsRunsThoughItFails() throws Exception {
    List<String> done = new ArrayList<>();
    converse(
        new Passing() {
          @Override
          public void fromClient(Message message, Wires wires) {
            for (int i = 0; i < 20; i++) {
              String name = "work " + i;
              wires.work(
                  () -> {
                    if (name.endsWith("7")) {
                      throw new IllegalStateException("to be survived");
                    }
                  },
                  () -> done.add(name));
            }
            byte[] bytes = Packets.query(text(message));
            wires.work(() -> {}, () -> wires.toServer(bytes, 0, bytes.length));
          }
        });
    send("go");
    assertThat(receive()).isEqualTo("go");
    assertThat(done).hasSize(20).isSortedAccordingTo((a, b) -> number(a) - number(b));
  }

  @Test
  void whatWaitsAndWhatComputesDoNotWaitForEachOther() throws Exception {
    for (boolean computes : new boolean[] {true, false}) {
      CountDownLatch mayGoOn = new CountDownLatch(1);
      converse(
          new Passing() {
            @Override
            public void fromClient(Message message, Wires wires) {
              String text = text(message);
              byte[] bytes = Packets.query(text);
              Runnable then = () -> wires.toServer(bytes, 0, bytes.length);
              if (text.equals("long") != computes) {
                wires.compute(() -> await(text, mayGoOn), then);
              } else {
                wires.work(() -> await(text, mayGoOn), then);
              }
            }
          });
      List<Socket> others = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        others.add(connect());
        others.get(i).getOutputStream().write(Packets.query("long"));
      }
      send("short");
      assertThat(receive()).as("computes: %s", computes).isEqualTo("short");
      mayGoOn.countDown();
      for (Socket other : others) {
        assertThat(Packets.readMessage(other.getInputStream())).isEqualTo(Packets.query("long"));
        other.close();
      }
      if (computes) {
        client.close();
        proxy.close();
      }
    }
  }

  private static void await(String text, CountDownLatch latch) {
    if (text.equals("long")) {
      await(latch);
    }
  }

  private static int number(String name) {
    return Integer.parseInt(name.substring(5));
  }

  @Test
  void somethingIsDoneLaterFromAnyThread() throws Exception {
    AtomicReference<Wires> kept = new AtomicReference<>();
    converse(
        new Passing() {
          @Override
          public void fromClient(Message message, Wires wires) {
            kept.set(wires);
            super.fromClient(message, wires);
          }
        });
    send("first");
    assertThat(receive()).isEqualTo("first");
    Wires wires = Objects.requireNonNull(kept.get());
    wires.later(
        () -> {
          byte[] told = Packets.query("told");
          wires.toClient(told, 0, told.length);
        });
    assertThat(receive()).isEqualTo("told");
  }

  @Test
  void aConversationThatFailsDoesNotBreakItsConnection() throws Exception {
    AtomicInteger shown = new AtomicInteger();
    converse(
        new Passing() {
          @Override
          public void fromClient(Message message, Wires wires) {
            shown.incrementAndGet();
            wires.holdClient();
            throw new IllegalStateException("to be survived");
          }
        });
    send("one", "two");
    send("three");
    assertThat(receive()).isEqualTo("one");
    assertThat(receive()).isEqualTo("two");
    assertThat(receive()).isEqualTo("three");
    assertThat(shown).hasValue(1);
    assertThat(proxy.stats().get(Count.CONVERSATION_FAILURES)).isEqualTo(1);
  }

  @Test
  void whatAFailedConversationHoldsGoesOnBeforeTheRest() throws Exception {
    converse(
        new Passing() {
          private byte[] held = {};

          @Override
          public boolean looksAtServer(byte type, int length) {
            return type == 'Z';
          }

          @Override
          public void fromClient(Message message, Wires wires) {
            held = Packets.query(text(message));
            wires.holdClient();
            wires.after(
                1,
                () -> {
                  throw new IllegalStateException("to be survived");
                });
          }

          @Override
          public void givenUp(Wires wires) {
            wires.toServer(held, 0, held.length);
          }
        });
    send("one", "two");
    assertThat(receive()).isEqualTo("one");
    assertThat(receive()).isEqualTo("two");
    assertThat(proxy.stats().get(Count.CONVERSATION_FAILURES)).isEqualTo(1);
  }

  @Test
  void whatIsHeldGoesOnWhenTheServerSaysWhatIsNoMessage() throws Exception {
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    CountDownLatch spoils = new CountDownLatch(1);
    server.close();
    byte[] welcome = Packets.WELCOME.clone();
    welcome[welcome.length - 1] = '?'; // In no state that is known: nothing is asked ahead.
    server =
        new ScriptedServer(
            socket -> {
              Packets.readStart(socket.getInputStream());
              socket.getOutputStream().write(welcome);
              // What isotail asks stays without an answer.
              await(spoils);
              socket.getOutputStream().write(new byte[] {'Z', 0, 0, 0, 1});
              while (true) {
                byte[] message = Packets.readMessage(socket.getInputStream());
                if (message[0] == 'Q') {
                  received.add(new String(message, 5, message.length - 6, StandardCharsets.UTF_8));
                }
              }
            });
    Capture capture =
        new Capture(
            CaptureConfig.of("any", new ObservedTables(List.of())),
            new OpenTransactions(),
            "proxy");
    converse(CapturedConversations.of(capture).open(Map.of("user", "ann"), "db:5432"));
    send("one", "two");
    Await.until("the first is held", () -> proxy.stats().get(Count.CLIENT_MESSAGES) == 1);
    spoils.countDown();
    assertThat(received.poll(20, TimeUnit.SECONDS)).isEqualTo("one");
    assertThat(received.poll(20, TimeUnit.SECONDS)).isEqualTo("two");
    assertThat(proxy.stats().get(Count.FRAMING_LOST)).isPositive();
  }

  @Test
  void theEndOfAClientIsToldOnceAndAfterAllThatItSent() throws Exception {
    BlockingQueue<String> shown = new LinkedBlockingQueue<>();
    CountDownLatch mayGoOn = new CountDownLatch(1);
    converse(
        new Passing() {
          @Override
          public void fromClient(Message message, Wires wires) {
            shown.add(text(message));
            wires.holdClient();
            wires.work(() -> ConversationIT.await(mayGoOn), wires::releaseClient);
          }
        });
    send("one", "two");
    Await.until("one is shown", () -> shown.size() == 1);
    client.close();
    mayGoOn.countDown();
    assertThat(closed.poll(20, TimeUnit.SECONDS)).isEqualTo("by client");
    assertThat(shown).containsExactly("one", "two");
    assertThat(closed).isEmpty();
  }

  @Test
  void theEndOfTheServerIsTold() throws Exception {
    converse(new Passing());
    server.close();
    assertThat(closed.poll(20, TimeUnit.SECONDS)).isEqualTo("by server");
    assertThat(client.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void messagesAreShownWholeWhereverTheyAreCut() throws Exception {
    converse(
        new Passing() {
          @Override
          public boolean looksAtServer(byte type, int length) {
            return length % 2 == 0;
          }
        });
    String longText = "x".repeat(300_000);
    client.setTcpNoDelay(true);
    OutputStream out = client.getOutputStream();
    for (byte b : Packets.query("byte by byte")) {
      out.write(b);
      out.flush();
    }
    assertThat(receive()).isEqualTo("byte by byte");
    send(longText, "short", longText + "y");
    assertThat(receive()).isEqualTo(longText);
    assertThat(receive()).isEqualTo("short");
    assertThat(receive()).isEqualTo(longText + "y");
  }

  @Test
  void bytesThatAreNoMessagesGoOnAndEndTheConversation() throws Exception {
    converse(new Passing());
    byte[] noMessage = {'Q', 0, 0, 0, 1, 7, 7, 7};
    client.getOutputStream().write(noMessage);
    InputStream in = client.getInputStream();
    assertThat(in.readNBytes(noMessage.length)).isEqualTo(noMessage);
    assertThat(closed.poll(20, TimeUnit.SECONDS)).isNotNull();
    assertThat(proxy.stats().get(Count.FRAMING_LOST)).isPositive();
    client.close();
    Await.until("it is over", () -> proxy.stats().open() == 0);
    assertThat(closed).as("told once").isEmpty();
  }
}
