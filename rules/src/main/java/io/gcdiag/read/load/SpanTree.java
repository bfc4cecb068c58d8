package io.gcdiag.read.load;

import io.gcdiag.read.load.TraceSpans.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which spans of a trace are parts of which: a call inside another call of its service is one with
 * it, the span of the service that is called says how long that one took, and the time of a step of
 * a request is its own without that of its parts. Spans come in any order, and of many traces at a
 * time: only so many are kept, and what is farther apart in a file is not put together.
 */
final class SpanTree {

  /** Spans that are kept for others to come, about 300 bytes each. */
  private static final int MOST = 1 << 16;

  /** Damaged files have circles. */
  private static final int DEEPEST = 256;

  /** Takes the spans of a service, once what belongs to them has come. */
  interface Service {

    void call(Node call);

    /**
     * Takes a step of a request.
     *
     * @param nanos in the request, without its parts
     */
    void step(Node step, long nanos);
  }

  /** A span, with what its parts say. */
  static final class Node {
    final Service service;
    final Kind kind;
    final long start;
    final long nanos;

    /** What is called, or the span's name. */
    String name;

    /** Whether the span says what is called. */
    private boolean named;

    /** Without an id it is part of nothing that is known. */
    private final boolean identified;

    private final String key;
    private final String shared;
    private final String parent;
    private boolean linked;
    private boolean part;
    private boolean answered;
    private long inside;
    private long served;
    private long before;

    Node(Service service, TraceSpans.Span span, Optional<String> target) {
      this.service = service;
      kind = span.kind();
      start = span.startNanos();
      nanos = span.nanos();
      name = target.orElse(span.name());
      named = target.isPresent();
      identified = !span.id().isEmpty();
      shared = key(span.trace(), span.id());
      // Zipkin's spans of the two ends of a call may have one id.
      key = kind == Kind.SERVER ? ofServer(shared) : shared;
      parent = key(span.trace(), span.parent());
    }

    /** Whether a span of the service that is called is known. */
    boolean isAnswered() {
      return answered;
    }

    /** How long the service that is called took of it. */
    long served() {
      return Math.min(served, nanos);
    }

    /** How long it took until that service began, as far as clocks agree. */
    long before() {
      return Math.max(0, Math.min(before, nanos - served()));
    }

    private static String key(String trace, String id) {
      return trace + ' ' + id;
    }

    private static String ofServer(String key) {
      return key + " server";
    }
  }

  private final Map<String, Node> nodes = new LinkedHashMap<>();

  void add(Node node) {
    if (!node.identified) {
      handOver(node);
      return;
    }
    nodes.put(node.key, node);
    if (nodes.size() > MOST) {
      handOver(MOST / 2);
    }
  }

  void end() {
    handOver(nodes.size());
  }

  private void handOver(int many) {
    nodes.values().forEach(this::link);
    nodes.values().forEach(this::fold);
    List<Node> oldest = nodes.values().stream().limit(many).toList();
    oldest.forEach(this::handOver);
    oldest.forEach(node -> nodes.remove(node.key));
  }

  private void handOver(Node node) {
    if (node.kind == Kind.CLIENT && !node.part) {
      node.service.call(node);
    } else if (node.kind == Kind.INTERNAL && !node.part) {
      above(node, Kind.SERVER::equals)
          .ifPresent(request -> node.service.step(node, ownTime(node, request)));
    }
  }

  /** What goes on after the response does not delay the request. */
  private static long ownTime(Node step, Node request) {
    long end = Math.min(step.start + step.nanos, request.start + request.nanos);
    return Math.max(0, end - step.start - step.inside);
  }

  private void link(Node node) {
    if (node.linked) {
      return;
    }
    Optional<Node> over =
        node.kind == Kind.SERVER
            ? Optional.ofNullable(nodes.getOrDefault(node.shared, nodes.get(node.parent)))
            : parent(node);
    over.ifPresent(
        parent -> {
          node.linked = true;
          if (node.kind != Kind.SERVER) {
            parent.inside += node.nanos;
          } else if (parent.kind == Kind.CLIENT) {
            parent.answered = true;
            parent.served += node.nanos;
            parent.before += Math.max(0, node.start - parent.start);
          }
        });
  }

  /** The span of its service that it is a part of. */
  private Optional<Node> parent(Node node) {
    return Optional.ofNullable(nodes.get(Node.ofServer(node.parent)))
        .filter(one -> one.service == node.service)
        .or(
            () ->
                Optional.ofNullable(nodes.get(node.parent))
                    .filter(one -> one.service == node.service && one != node));
  }

  /** The outermost span of such a kind around it, up to the request's. */
  private Optional<Node> above(Node node, Predicate<Kind> kind) {
    Optional<Node> found = Optional.empty();
    Node at = node;
    for (int depth = 0; depth < DEEPEST && at.kind != Kind.SERVER; depth++) {
      Optional<Node> next = parent(at);
      if (next.isEmpty()) {
        break;
      }
      at = next.get();
      found = kind.test(at.kind) ? next : found;
    }
    return found;
  }

  /** Gives what a part of a call says to the call. */
  private void fold(Node node) {
    if (node.kind == Kind.SERVER) {
      return;
    }
    above(node, Kind.CLIENT::equals)
        .ifPresent(
            call -> {
              node.part = true;
              if (node.kind != Kind.CLIENT) {
                return;
              }
              if (!call.named && node.named) {
                call.name = node.name;
                call.named = true;
              }
              if (node.answered) {
                call.answered = true;
                call.served += node.served;
                call.before += node.before + Math.max(0, node.start - call.start);
                node.answered = false;
              }
            });
  }
}
