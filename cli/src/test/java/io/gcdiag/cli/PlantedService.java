package io.gcdiag.cli;

import java.util.concurrent.TimeUnit;

/**
 * A service that gives its secrets away: run as a process of its own with secrets among its
 * arguments and in its environment, it has them in names of threads and classes as well.
 */
final class PlantedService {

  private static final int THREADS = 4;
  private static volatile byte[] sink;

  private PlantedService() {}

  /** A key as a careless generator names a class: its name is an AWS access key. */
  static final class AKIAIOSFODNN7EXAMPLE {
    synchronized void serve() throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
      while (System.nanoTime() < end) {
        sink = new byte[1024];
      }
      Thread.sleep(30);
    }
  }

  /**
   * Runs for some seconds.
   *
   * @param args the secret
   */
  public static void main(String[] args) throws InterruptedException {
    AKIAIOSFODNN7EXAMPLE service = new AKIAIOSFODNN7EXAMPLE();
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      threads[i] =
          new Thread(() -> serve(service), "http-nio-8080-exec-" + i + " password=" + args[0]);
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void serve(AKIAIOSFODNN7EXAMPLE service) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
    try {
      while (System.nanoTime() < end) {
        service.serve();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
