import java.util.*;
import java.util.concurrent.*;
import org.apache.curator.framework.*;
import org.apache.curator.framework.recipes.leader.*;
import org.apache.curator.framework.recipes.locks.*;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.recipes.leader.LeaderElectionSupport;
import org.apache.zookeeper.recipes.lock.WriteLock;

/**
 * Curator's and ZooKeeper's own clients contend in a fixed order. Prints READY when all stand in line; on the
 * line "leave" the holders leave and LEFT is printed; REVOKED is printed when the mutex's holder was asked to
 * let go and did.
 */
public class Contend {
    static CuratorFramework[] c = new CuratorFramework[4];
    static ZooKeeper[] zk = new ZooKeeper[2];
    static ExecutorService pool = Executors.newCachedThreadPool(r -> { Thread t = new Thread(r); t.setDaemon(true); return t; });

    interface Act { void run() throws Exception; }

    static int kids(String path) throws Exception {
        return c[0].checkExists().forPath(path) == null ? 0 : c[0].getChildren().forPath(path).size();
    }

    /** Runs a blocking claim on a thread of its own and waits until its place in line is taken. */
    static ExecutorService stand(String path, Act act) throws Exception {
        int before = kids(path);
        ExecutorService own = Executors.newSingleThreadExecutor(r -> { Thread t = new Thread(r); t.setDaemon(true); return t; });
        own.submit(() -> { try { act.run(); } catch (Throwable e) { System.out.println("FAILED " + path + " " + e); } });
        long end = System.currentTimeMillis() + 20000;
        while (kids(path) == before) {
            if (System.currentTimeMillis() > end) { System.out.println("FAILED no place in line at " + path); System.exit(1); }
            Thread.sleep(10);
        }
        return own;
    }

    static void until(Callable<Boolean> ok) throws Exception {
        long end = System.currentTimeMillis() + 20000;
        while (!ok.call()) {
            if (System.currentTimeMillis() > end) { System.out.println("FAILED to settle"); System.exit(1); }
            Thread.sleep(10);
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < c.length; i++) {
            c[i] = CuratorFrameworkFactory.builder().connectString(args[0]).sessionTimeoutMs(6000).connectionTimeoutMs(5000).retryPolicy(new RetryOneTime(100)).build();
            c[i].start();
            c[i].blockUntilConnected();
        }
        InterProcessMutex[] m = new InterProcessMutex[3];
        ExecutorService[] mt = new ExecutorService[3];
        for (int i = 0; i < 3; i++) {
            int k = i;
            m[i] = new InterProcessMutex(c[i], "/cur/mutex");
            if (i == 0) {
                m[0].makeRevocable(lock -> mt[0].submit(() -> { try { lock.release(); System.out.println("REVOKED"); } catch (Exception e) { System.out.println("FAILED " + e); } }));
            }
            mt[i] = stand("/cur/mutex", () -> m[k].acquire());
        }
        InterProcessReadWriteLock[] rw = new InterProcessReadWriteLock[4];
        ExecutorService[] rt = new ExecutorService[4];
        for (int i = 0; i < 4; i++) {
            int k = i;
            rw[i] = new InterProcessReadWriteLock(c[i], "/cur/rw", ("rw-" + "ABCD".charAt(i)).getBytes());
            rt[i] = stand("/cur/rw", () -> { if (k == 2) rw[k].writeLock().acquire(); else rw[k].readLock().acquire(); });
        }
        LeaderLatch[] latch = new LeaderLatch[3];
        for (int i = 0; i < 3; i++) {
            int k = i;
            latch[i] = new LeaderLatch(c[i], "/cur/latch", "latch-" + "ABC".charAt(i));
            stand("/cur/latch", () -> latch[k].start());
        }
        CountDownLatch lead = new CountDownLatch(1);
        LeaderSelector[] sel = new LeaderSelector[2];
        for (int i = 0; i < 2; i++) {
            int k = i;
            sel[i] = new LeaderSelector(c[i], "/cur/leader/selector", new LeaderSelectorListenerAdapter() {
                public void takeLeadership(CuratorFramework f) throws Exception { if (k == 0) lead.await(); else Thread.sleep(Long.MAX_VALUE); }
            });
            sel[i].setId("sel-" + "AB".charAt(i));
            stand("/cur/leader/selector", () -> sel[k].start());
        }
        WriteLock[] wl = new WriteLock[2];
        LeaderElectionSupport[] les = new LeaderElectionSupport[2];
        for (String p : new String[] {"/zkr", "/zkr/lock", "/zkr/election"}) c[0].create().forPath(p, new byte[0]);
        for (int i = 0; i < 2; i++) {
            int k = i;
            zk[i] = new ZooKeeper(args[0], 6000, e -> { });
            until(() -> zk[k].getState().isConnected());
            wl[i] = new WriteLock(zk[i], "/zkr/lock", ZooDefs.Ids.OPEN_ACL_UNSAFE);
            stand("/zkr/lock", () -> wl[k].lock());
            les[i] = new LeaderElectionSupport();
            les[i].setZooKeeper(zk[i]);
            les[i].setRootNodeName("/zkr/election");
            les[i].setHostName("host-" + "AB".charAt(i) + ".example");
            stand("/zkr/election", () -> les[k].start());
        }
        until(() -> m[0].isAcquiredInThisProcess() && latch[0].hasLeadership() && wl[0].isOwner() && sel[0].hasLeadership());
        System.out.println("READY");
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            if (!in.nextLine().trim().equals("leave")) continue;
            if (m[0].isAcquiredInThisProcess()) mt[0].submit(() -> { m[0].release(); return null; }).get();
            rt[0].submit(() -> { rw[0].readLock().release(); return null; }).get();
            rt[1].submit(() -> { rw[1].readLock().release(); return null; }).get();
            latch[0].close();
            lead.countDown();
            wl[0].unlock();
            les[0].stop();
            until(() -> latch[1].hasLeadership() && wl[1].isOwner() && sel[1].hasLeadership() && rw[2].writeLock().isAcquiredInThisProcess() && m[1].isAcquiredInThisProcess());
            System.out.println("LEFT");
        }
    }
}
