package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.postgres.Conversation;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.proxy.ProxyStats.StartFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens between a client's first byte and its session. */
final class StartUpIT {
  private static final Address ANY_PORT = new Address("127.0.0.1", 0);

  private final BlockingQueue<byte[]> first = new LinkedBlockingQueue<>();
  private ScriptedServer server;
  private ProxyServer proxy;

  @BeforeEach
  void start() throws IOException {
    server =
        new ScriptedServer(
            socket -> {
              byte[] packet = Packets.readStart(socket.getInputStream());
              first.add(packet);
              if (StartPacket.of(packet).kind() == StartPacket.Kind.START_UP) {
                socket.getOutputStream().write(Packets.WELCOME);
                socket.getInputStream().transferTo(socket.getOutputStream());
              }
            });
    begin(ProxyConfig.of(ANY_PORT, server.address()));
  }

  private void begin(ProxyConfig config) {
    if (proxy != null) {
      proxy.close();
    }
    proxy = ProxyServer.start(config, (parameters, host) -> Conversation.UNSEEN);
  }

  @AfterEach
  void stop() throws IOException {
    Await.until("no connection is left", () -> proxy.stats().open() == 0);
    Await.until("no connection to the server is left", () -> server.open() == 0);
    assertThat(proxy.stats().get(Count.INTERNAL_FAILURES)).isZero();
    proxy.close();
    server.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static byte[] readError(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    byte[] error = Packets.readMessage(in);
    assertThat((char) error[0]).isEqualTo('E');
    assertThat(Packets.field(error, 'S')).isEqualTo("FATAL");
    assertThat(in.read()).as("the connection is closed").isEqualTo(-1);
    return error;
  }

  private void expectWelcome(Socket socket) throws IOException {
    assertThat(socket.getInputStream().readNBytes(Packets.WELCOME.length))
        .isEqualTo(Packets.WELCOME);
  }

  @ParameterizedTest
  @ValueSource(ints = {Packets.PROTOCOL_3_0, Packets.PROTOCOL_3_2, 3 << 16 | 9999})
  void theStartUpMessageGoesOnAsItCame(int protocol) throws Exception {
    byte[] packet = Packets.startUp(protocol, "user", "ann", "_pq_.option", "x");
    try (Socket client = connect()) {
      client.getOutputStream().write(packet);
      expectWelcome(client);
      assertThat(first.poll(5, TimeUnit.SECONDS)).isEqualTo(packet);
    }
  }

  @Test
  void whatFollowsTheStartUpMessageAtOnceGoesOnToo() throws IOException {
    byte[] query = Packets.query("SELECT 1");
    try (Socket client = connect()) {
      client.getOutputStream().write(Packets.join(Packets.startUp("user", "ann"), query));
      expectWelcome(client);
      assertThat(client.getInputStream().readNBytes(query.length)).isEqualTo(query);
    }
  }

  @Test
  void aStartUpMessageMayComeByteByByte() throws IOException {
    try (Socket client = connect()) {
      client.setTcpNoDelay(true);
      for (byte b : Packets.startUp("user", "ann")) {
        client.getOutputStream().write(b);
      }
      expectWelcome(client);
    }
  }

  @Test
  void encryptionByGssAndTlsIsRefusedPolitely() throws IOException {
    try (Socket client = connect()) {
      client.getOutputStream().write(Packets.GSS_REQUEST);
      assertThat(client.getInputStream().read()).isEqualTo('N');
      client.getOutputStream().write(Replies.TLS_REQUEST);
      assertThat(client.getInputStream().read()).isEqualTo('N');
      client.getOutputStream().write(Packets.startUp("user", "ann"));
      expectWelcome(client);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 32, 256})
  void aRequestToCancelIsPassedOnWithItsKey(int keyBytes) throws Exception {
    byte[] key = new byte[keyBytes];
    Arrays.fill(key, (byte) 0x5a);
    try (Socket client = connect()) {
      client.getOutputStream().write(Packets.cancel(key));
      assertThat(client.getInputStream().read()).as("closed as the server does").isEqualTo(-1);
    }
    assertThat(first.poll(5, TimeUnit.SECONDS)).isEqualTo(Packets.cancel(key));
    assertThat(proxy.stats().get(Count.CANCELS)).isEqualTo(1);
  }

  @Test
  void aClientNeedNotWaitForWhatBecomesOfItsCancel() throws Exception {
    try (Socket client = connect()) {
      client.getOutputStream().write(Packets.cancel(new byte[4]));
    }
    assertThat(first.poll(5, TimeUnit.SECONDS)).isEqualTo(Packets.cancel(new byte[4]));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"GET / HTTP/1.1\r\n\r\n", "\0\0\0\7abc", "\177\177\177\177aaaaaaaa", "\26\3\1\2"})
  void whatIsNoPacketIsClosed(String bytes) throws IOException {
    try (Socket client = connect()) {
      client.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      assertThat(readToEnd(client)).isEqualTo(-1);
    }
    Await.until("it is counted", () -> proxy.stats().get(StartFailure.BAD_PACKET) == 1);
    assertThat(first).isEmpty();
  }

  /** Closing with bytes unread resets the connection, which a client may see as an error. */
  private static int readToEnd(Socket client) throws IOException {
    try {
      return client.getInputStream().read();
    } catch (SocketException e) {
      return -1;
    }
  }

  @Test
  void clearBytesBehindARequestForTlsAreNotTaken() throws IOException {
    try (Socket client = connect()) {
      client
          .getOutputStream()
          .write(Packets.join(Replies.TLS_REQUEST, Packets.startUp("user", "ann")));
      assertThat(client.getInputStream().read()).isEqualTo('N');
      assertThat(Packets.field(readError(client), 'C')).isEqualTo("08P01");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2 << 16, 4 << 16, 3 << 16})
  void whatIsToBeRefusedGoesOnToTheServerWhichSaysWhy(int protocol) throws Exception {
    byte[] packet = Packets.startUp(protocol, "user", "ann", "database", "shop");
    packet[packet.length - "shop\0\0".length()] = 0; // Its end is not where its length says.
    try (Socket client = connect()) {
      client.getOutputStream().write(packet);
      assertThat(client.getInputStream().read()).isEqualTo(-1);
      assertThat(first.poll(5, TimeUnit.SECONDS)).isEqualTo(packet);
    }
    Await.until("it is counted", () -> proxy.stats().get(StartFailure.BAD_PACKET) == 1);
  }

  @Test
  void encryptionIsNotAskedForTwice() throws IOException {
    try (Socket client = connect()) {
      for (int i = 0; i < 2; i++) {
        client.getOutputStream().write(Replies.TLS_REQUEST);
        assertThat(client.getInputStream().read()).isEqualTo('N');
        client.getOutputStream().write(Packets.GSS_REQUEST);
        assertThat(client.getInputStream().read()).isEqualTo('N');
      }
      client.getOutputStream().write(Packets.GSS_REQUEST);
      assertThat(Packets.field(readError(client), 'C')).isEqualTo("0A000");
    }
  }

  @Test
  void aServerThatIsAwayIsNamedToTheClient() throws IOException {
    Address nobody;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = new Address("127.0.0.1", taken.getLocalPort());
    }
    begin(ProxyConfig.of(ANY_PORT, nobody));
    try (Socket client = connect()) {
      client.getOutputStream().write(Packets.startUp("user", "ann"));
      byte[] error = readError(client);
      assertThat(Packets.field(error, 'C')).isEqualTo("08006");
      assertThat(Packets.field(error, 'M')).contains(nobody.toString());
    }
    assertThat(proxy.stats().get(StartFailure.SERVER_UNREACHABLE)).isEqualTo(1);
  }

  @Test
  void aClientThatTakesTooLongIsClosed() throws IOException {
    begin(ProxyConfig.of(ANY_PORT, server.address()).withBounds(100, 200));
    try (Socket client = connect()) {
      client.getOutputStream().write(new byte[] {0, 0});
      assertThat(readToEnd(client)).isEqualTo(-1);
    }
    assertThat(proxy.stats().get(StartFailure.TIMEOUT)).isEqualTo(1);
  }

  @Test
  void clientsBeyondTheBoundAreRefusedAndToldSo() throws IOException {
    begin(ProxyConfig.of(ANY_PORT, server.address()).withBounds(1, 20_000));
    try (Socket one = connect()) {
      one.getOutputStream().write(Packets.startUp("user", "ann"));
      expectWelcome(one);
      try (Socket two = connect()) {
        two.getOutputStream().write(Packets.startUp("user", "ann"));
        assertThat(Packets.field(readError(two), 'C')).isEqualTo("53300");
      }
    }
    assertThat(proxy.stats().get(Count.REFUSED)).isEqualTo(1);
    Await.until("both are gone", () -> proxy.stats().open() == 0);
    try (Socket again = connect()) {
      again.getOutputStream().write(Packets.startUp("user", "ann"));
      expectWelcome(again);
    }
  }

  @Test
  void aStopEndsWhatIsNoSession() throws Exception {
    try (Socket client = connect()) {
      Await.until("it is accepted", () -> proxy.stats().open() == 1);
      Thread drain = new Thread(() -> proxy.drain(Duration.ofSeconds(20)));
      drain.start();
      assertThat(Packets.field(readError(client), 'C')).isEqualTo("57P03");
      drain.join();
    }
  }
}
