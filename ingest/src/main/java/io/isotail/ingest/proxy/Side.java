package io.isotail.ingest.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The socket of one side: reading that stops at once, writing that tells when it is behind, TLS
 * that begins in the middle, and a close after which everything written has gone out. For the
 * thread of its event loop.
 */
final class Side {
  /** Why a side is not read. */
  enum Pause {
    /** The other side takes no more for now. */
    OTHER_IS_FULL,

    /** A conversation holds it. */
    HELD,

    /** TLS, or the other side, is not ready yet. */
    STARTING
  }

  /** Takes what was read. The bytes are the receiver's, from {@code from} to {@code to}. */
  interface Reader {
    void read(byte[] bytes, int from, int to);
  }

  private static final int MOST_AT_ONCE = 256 * 1024;

  private final ContextInternal loop;
  private final ChannelHandlerContext context;
  private final Channel channel;
  private Reader reader = (bytes, from, to) -> {};
  private Runnable onEnd = () -> {};
  private Runnable onWritable = () -> {};
  private int pauses;
  private boolean ended;

  /**
   * A side.
   *
   * @param loop of the socket's event loop
   * @param socket whose handlers are not set yet
   * @param mostWaiting bytes that may wait to go out before it counts as full
   */
  Side(ContextInternal loop, NetSocketInternal socket, int mostWaiting) {
    this.loop = loop;
    this.context = socket.channelHandlerContext();
    this.channel = context.channel();
    channel
        .config()
        .setWriteBufferWaterMark(new WriteBufferWaterMark(mostWaiting / 2, mostWaiting));
    context.pipeline().addBefore(context.name(), null, new Inbound());
    socket.exceptionHandler(failure -> {}); // the end that follows says enough
    // When the server is shut down, each connection is left to its session.
    socket.eventHandler(ReferenceCountUtil::release);
    // What came before this side was there.
    socket.handler(early -> reader.read(early.getBytes(), 0, early.length()));
    socket.endHandler(end -> end());
  }

  private void end() {
    if (!ended) {
      ended = true;
      onEnd.run();
    }
  }

  /**
   * Takes what was read before Vert.x does, which would copy it. What takes it runs in the loop's
   * context, as what Vert.x calls does: if it throws, that is reported there.
   */
  private final class Inbound extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext from, Object read) {
      if (read instanceof ByteBuf piece) {
        byte[] bytes = new byte[piece.readableBytes()];
        piece.readBytes(bytes).release();
        loop.dispatch(() -> reader.read(bytes, 0, bytes.length));
      } else {
        from.fireChannelRead(read);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext closed) {
      loop.dispatch(Side.this::end);
      closed.fireChannelInactive();
    }

    /** Tells when more can be written. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
      changed.fireChannelWritabilityChanged();
      if (isWritable()) {
        loop.dispatch(onWritable);
      }
    }
  }

  /**
   * Sets what takes over from here on.
   *
   * @param reads takes what was read
   * @param ends told once, when nothing more comes and nothing more can be sent; at once if that is
   *     so already
   * @param writes told when the side is no longer full
   */
  void handlers(Reader reads, Runnable ends, Runnable writes) {
    reader = reads;
    onEnd = ends;
    onWritable = writes;
    if (ended) {
      ends.run();
    }
  }

  /** Whether it has not ended. */
  boolean isOpen() {
    return !ended;
  }

  /** Whether it takes more now; else it tells when it does. */
  boolean isWritable() {
    return channel.isWritable();
  }

  /** Sends bytes. */
  void write(ByteBuf bytes) {
    if (ended) {
      bytes.release();
      return;
    }
    // What is written is copied out of the heap, a part at a time as the socket takes it.
    while (bytes.readableBytes() > MOST_AT_ONCE) {
      var unused = context.write(bytes.readRetainedSlice(MOST_AT_ONCE));
    }
    var unused = context.writeAndFlush(bytes);
  }

  /** Sends bytes, which must not be changed any more. */
  void write(byte[] bytes) {
    write(Unpooled.wrappedBuffer(bytes));
  }

  /** Reads no more than is in hand until {@link #resume}. */
  void pause(Pause why) {
    pauses |= 1 << why.ordinal();
    if (channel.isActive()) {
      channel.config().setAutoRead(false);
    }
  }

  /** Takes a reason away; reads again if there is no other. */
  void resume(Pause why) {
    pauses &= ~(1 << why.ordinal());
    if (pauses == 0 && channel.isActive()) {
      channel.config().setAutoRead(true);
    }
  }

  /** Whether what passes here is encrypted. */
  boolean isTls() {
    return channel.pipeline().get(SslHandler.class) != null;
  }

  /**
   * Begins TLS.
   *
   * @param handler of this side
   * @param before what is sent in clear before; empty for nothing
   * @param came bytes of it that were read already; empty for none
   * @param done told how it went, null for well
   */
  void startTls(
      SslHandler handler, byte[] before, byte[] came, Consumer<@Nullable Throwable> done) {
    Deque<byte[]> cipher = new ArrayDeque<>();
    if (came.length > 0) {
      cipher.add(came);
    }
    if (before.length > 0) {
      var unused = context.writeAndFlush(Unpooled.wrappedBuffer(before));
    }
    // What is read by chance before the handler is there belongs to TLS too.
    reader = (bytes, from, to) -> cipher.add(Arrays.copyOfRange(bytes, from, to));
    pause(Pause.STARTING);
    channel
        .eventLoop()
        .execute(
            () -> {
              Deque<byte[]> clear = new ArrayDeque<>();
              reader = (bytes, from, to) -> clear.add(Arrays.copyOfRange(bytes, from, to));
              channel.pipeline().addFirst("ssl", handler);
              handler
                  .handshakeFuture()
                  .addListener(
                      future -> {
                        done.accept(future.isSuccess() ? null : future.cause());
                        while (!clear.isEmpty()) {
                          byte[] bytes = clear.remove();
                          reader.read(bytes, 0, bytes.length);
                        }
                      });
              resume(Pause.STARTING);
              while (!cipher.isEmpty()) {
                channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(cipher.remove()));
                channel.pipeline().fireChannelReadComplete();
              }
            });
  }

  /** Closes once everything written has gone out. */
  void close() {
    if (!ended) {
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** Closes now, whatever has not gone out. */
  void abort() {
    var unused = context.close();
  }
}
