package io.gcdiag.cli;

import io.gcdiag.cli.fleet.CaseWorker;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Where a process that analyses cases of a fleet begins and ends. */
public final class WorkerMain {

  private WorkerMain() {}

  /** Analyses the cases that come in until the input ends. */
  public static void main(String[] args) throws IOException {
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
    PrintWriter out =
        new PrintWriter(
            new OutputStreamWriter(
                new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8));
    CaseWorker.serve(in, out);
  }
}
