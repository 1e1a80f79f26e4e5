import java.io.*;
import java.net.Socket;
import java.util.*;
import java.util.concurrent.*;
import org.apache.curator.framework.*;
import org.apache.curator.framework.recipes.barriers.DistributedDoubleBarrier;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.locks.*;
import org.apache.curator.framework.recipes.queue.*;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryNTimes;

/** Takes part in every recipe beside other clients and tells a referee. Arguments: servers, referee, turns. */
public class Contend {
  static String[] referee;
  static int turns;

  static class Whistle {
    final BufferedReader in;
    final PrintWriter out;

    Whistle() throws IOException {
      Socket s = new Socket(referee[0], Integer.parseInt(referee[1]));
      in = new BufferedReader(new InputStreamReader(s.getInputStream()));
      out = new PrintWriter(s.getOutputStream(), true);
    }

    synchronized void tell(String line) throws IOException {
      out.println(line);
      in.readLine();
    }
  }

  interface Work {
    void run(CuratorFramework c, Whistle w) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    referee = args[1].split(":");
    turns = Integer.parseInt(args[2]);
    Work[] all = {Contend::lock, Contend::rw, Contend::semaphore, Contend::election, Contend::barrier, Contend::queue};
    List<Thread> threads = new ArrayList<>();
    for (Work work : all) {
      CuratorFramework c = CuratorFrameworkFactory.newClient(args[0], 9000, 9000, new RetryNTimes(100, 100));
      c.start();
      Whistle w = new Whistle();
      Thread t = new Thread(() -> {
        try {
          work.run(c, w);
        } catch (Exception e) {
          e.printStackTrace();
        }
      });
      t.start();
      threads.add(t);
    }
    System.out.println("STARTED");
    for (Thread t : threads) t.join();
    System.out.println("REVOKER");
    revoke(args[0]);
    System.out.println("DONE");
    System.exit(0);
  }

  static void lock(CuratorFramework c, Whistle w) throws Exception {
    InterProcessMutex mutex = new InterProcessMutex(c, "/c/lock");
    for (int i = 0; i < turns; i++) {
      mutex.acquire();
      w.tell("+ lock 1 1");
      String node = mutex.getParticipantNodes().iterator().next();
      w.tell("o lock " + Long.parseLong(node.substring(node.length() - 10)));
      w.tell("- lock 1");
      mutex.release();
    }
  }

  static void rw(CuratorFramework c, Whistle w) throws Exception {
    InterProcessReadWriteLock rw = new InterProcessReadWriteLock(c, "/c/rw");
    for (int i = 0; i < turns; i++) {
      boolean read = ThreadLocalRandom.current().nextBoolean();
      InterProcessMutex m = read ? rw.readLock() : rw.writeLock();
      m.acquire();
      w.tell("+ rw " + (read ? 1 : 100) + " 100");
      w.tell("- rw " + (read ? 1 : 100));
      m.release();
    }
  }

  static void semaphore(CuratorFramework c, Whistle w) throws Exception {
    InterProcessSemaphoreV2 sem = new InterProcessSemaphoreV2(c, "/c/sem", 2);
    for (int i = 0; i < turns; i++) {
      Lease lease = sem.acquire();
      w.tell("+ semaphore 1 2");
      w.tell("- semaphore 1");
      sem.returnLease(lease);
    }
  }

  static void election(CuratorFramework c, Whistle w) throws Exception {
    for (int i = 0; i < turns; i++) {
      LeaderLatch latch = new LeaderLatch(c, "/c/election", "curator");
      latch.start();
      latch.await();
      w.tell("+ election 1 1");
      w.tell("- election 1");
      latch.close();
    }
  }

  static void barrier(CuratorFramework c, Whistle w) throws Exception {
    for (int i = 0; i < turns / 10; i++) {
      DistributedDoubleBarrier b = new DistributedDoubleBarrier(c, "/c/barrier-" + i, 3);
      w.tell("a enter-" + i);
      b.enter();
      w.tell("c enter-" + i + " 3");
      w.tell("a leave-" + i);
      b.leave();
      w.tell("c leave-" + i + " 3");
    }
  }

  static void queue(CuratorFramework c, Whistle w) throws Exception {
    QueueSerializer<String> text = new QueueSerializer<String>() {
      public byte[] serialize(String s) { return s.getBytes(); }
      public String deserialize(byte[] b) { return new String(b); }
    };
    QueueConsumer<String> consumer = new QueueConsumer<String>() {
      public void consumeMessage(String s) throws Exception { w.tell("a item-" + s); }
      public void stateChanged(CuratorFramework f, ConnectionState s) {}
    };
    DistributedQueue<String> q = QueueBuilder.builder(c, consumer, text, "/c/queue").lockPath("/c/queue-locks").buildQueue();
    q.start();
    for (int i = 0; i < turns; i++) q.put("curator-" + i);
    q.flushPuts(30, TimeUnit.SECONDS);
    for (int quiet = 0; quiet < 10; ) {
      quiet = c.getChildren().forPath("/c/queue").isEmpty() ? quiet + 1 : 0;
      Thread.sleep(100);
    }
    q.close();
  }

  /** Holds revocably until somebody asks, then asks the next holder. Reads one line to begin. */
  static void revoke(String servers) throws Exception {
    CuratorFramework c = CuratorFrameworkFactory.newClient(servers, 9000, 9000, new RetryNTimes(100, 100));
    c.start();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    InterProcessMutex mutex = new InterProcessMutex(c, "/c/revocable");
    CountDownLatch asked = new CountDownLatch(1);
    mutex.makeRevocable(m -> asked.countDown());
    mutex.acquire();
    System.out.println("HOLDS");
    asked.await();
    mutex.release();
    System.out.println("LETGO");
    in.readLine();
    for (String p : mutex.getParticipantNodes()) Revoker.attemptRevoke(c, p);
    System.out.println("ASKED");
    c.close();
  }
}
