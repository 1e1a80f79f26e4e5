import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.*;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryNTimes;

/** Many threads take turns at one mutex and count how often two were inside at once. Prints HALF when half is done. */
public class CuratorContention {
  static final int CLIENTS = 6, THREADS = 24, TURNS = 10;

  public static void main(String[] args) throws Exception {
    CuratorFramework[] clients = new CuratorFramework[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
      clients[i] = CuratorFrameworkFactory.newClient(args[0], 9000, 9000, new RetryNTimes(100, 100));
      clients[i].start();
    }
    AtomicInteger inside = new AtomicInteger(), overlaps = new AtomicInteger(), turns = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      InterProcessMutex mutex = new InterProcessMutex(clients[i % CLIENTS], "/contend");
      Thread t = new Thread(() -> work(mutex, inside, overlaps, turns));
      t.start();
      threads.add(t);
    }
    for (Thread t : threads) t.join();
    int left = clients[0].checkExists().forPath("/contend") == null ? 0 : clients[0].getChildren().forPath("/contend").size();
    for (CuratorFramework c : clients) c.close();
    System.out.println("TURNS " + turns + " overlaps " + overlaps + " left " + left);
    System.exit(0);
  }

  static void work(InterProcessMutex mutex, AtomicInteger inside, AtomicInteger overlaps, AtomicInteger turns) {
    for (int i = 0; i < TURNS; i++) {
      try {
        mutex.acquire();
        if (inside.incrementAndGet() > 1) overlaps.incrementAndGet();
        if (turns.incrementAndGet() == THREADS * TURNS / 2) System.out.println("HALF");
        Thread.yield();
        inside.decrementAndGet();
        mutex.release();
      } catch (Exception e) {
        System.out.println("FAIL " + e);
        System.exit(1);
      }
    }
  }
}
