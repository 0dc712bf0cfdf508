package io.isotail.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WatchedConversationTest {
  private final Conversation conversation = CapturedConversations.none().open(Map.of(), "db:5432");
  private final ByteArrayOutputStream toClient = new ByteArrayOutputStream();

  private final Wires wires =
      new Wires() {
        @Override
        public void toServer(byte[] bytes, int offset, int length) {
          throw new AssertionError("no message of the client is looked at");
        }

        @Override
        public void toClient(byte[] bytes, int offset, int length) {
          toClient.write(bytes, offset, length);
        }

        @Override
        public void holdClient() {
          throw new AssertionError();
        }

        @Override
        public void releaseClient() {
          throw new AssertionError();
        }

        @Override
        public boolean isServerBetweenMessages() {
          return true;
        }

        @Override
        public void work(Runnable work, Runnable then) {
          throw new AssertionError();
        }

        @Override
        public void compute(Runnable work, Runnable then) {
          throw new AssertionError();
        }

        @Override
        public void later(Runnable task) {
          throw new AssertionError();
        }

        @Override
        public void after(long ms, Runnable task) {
          throw new AssertionError();
        }
      };

  private void client(String types) {
    for (char type : types.toCharArray()) {
      assertThat(conversation.looksAtClient((byte) type, 100)).isFalse();
    }
  }

  private void ready(char state) {
    byte[] bytes = {'Z', 0, 0, 0, 5, (byte) state};
    assertThat(conversation.looksAtServer((byte) 'Z', bytes.length)).isTrue();
    toClient.reset();
    conversation.fromServer(new Message().show(bytes, 0, bytes.length), wires);
    assertThat(toClient.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void beforeTheServerIsReadyItIsNotIdle() {
    assertThat(conversation.isIdle()).isFalse();
    client("pp");
    assertThat(conversation.isIdle()).isFalse();
    ready('I');
    assertThat(conversation.isIdle()).isTrue();
  }

  @Test
  void itIsIdleOnceAllIsAnsweredOutsideOfATransaction() {
    ready('I');
    client("Q");
    assertThat(conversation.isIdle()).isFalse();
    ready('T');
    assertThat(conversation.isIdle()).isFalse();
    client("QQ");
    ready('E');
    ready('I');
    assertThat(conversation.isIdle()).isTrue();
  }

  @Test
  void whatASyncIsToFollowIsUnderWay() {
    ready('I');
    client("P");
    assertThat(conversation.isIdle()).isFalse();
    client("BDE");
    assertThat(conversation.isIdle()).isFalse();
    client("S");
    assertThat(conversation.isIdle()).isFalse();
    ready('I');
    assertThat(conversation.isIdle()).isTrue();
  }

  @Test
  void rowsOfACopyThatAQueryHasBegunBelongToIt() {
    ready('I');
    client("Qdddc");
    assertThat(conversation.isIdle()).isFalse();
    ready('I');
    assertThat(conversation.isIdle()).isTrue();
  }

  @Test
  void aSyncThatTheServerSkipsLeavesItInDoubt() {
    ready('I');
    client("PBESdcS");
    ready('I');
    assertThat(conversation.isIdle()).isFalse();
  }

  @Test
  void rowsGoOnUnseen() {
    assertThat(conversation.looksAtServer((byte) 'D', 100)).isFalse();
    assertThat(conversation.looksAtServer((byte) 'Z', 100)).isFalse();
  }
}
